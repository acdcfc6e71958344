//! What a team has before its first deploy, and how its stack is then used.

use local::apns::{self, Server};
use local::reaper::Folder;
use local::stack::APP;
use serde_json::json;
use tests::product::event;

use crate::account::Account;
use crate::database::{self, Database};
use crate::sam::{STACK, Sam};
use crate::{eventually, revision};

/// See the module.
pub struct Ground {
    pub account: Account,
    pub database: Database,
    pub apns: Server,
    pub sam: Sam,
    parameters: Vec<(&'static str, String)>,
    folder: Folder,
}

impl Ground {
    /// A database, a provider, and an account with their secrets and the apps.
    pub async fn prepare() -> Self {
        let folder = Folder::create(&std::env::temp_dir()).expect("a temporary folder");
        let database = Database::start(folder.path()).await;
        let apns = Server::start(apns::Options::default()).await.expect("a provider starts");
        let account = Account::open(folder.path()).await;

        let credentials = apns.write_credentials(folder.path()).expect("files in a temporary folder");
        let mut app = apns.app(&credentials);
        app["key"] = "secretsmanager:pushwake/apns".into();
        account.set_parameter("/pushwake-dev/apps", &json!({APP: app}).to_string()).await;
        let key = account.keep_secret("pushwake/apns", apns.key_pem()).await;
        let as_rds_does = |(user, password): (&str, &str)| json!({"username": user, "password": password}).to_string();
        let owner = account.keep_secret("pushwake/pushwake_owner", &as_rds_does(database::OWNER)).await;
        let functions = account.keep_secret("pushwake/pushwake_app", &as_rds_does(database::APP)).await;

        let parameters = vec![
            ("Architecture", "x86_64".to_owned()),
            ("Apps", "ssm:/pushwake-dev/apps".to_owned()),
            ("DatabaseHost", database::HOST.to_owned()),
            ("DatabasePort", database.cluster.port().to_string()),
            ("DatabaseName", database::NAME.to_owned()),
            ("DatabaseSecretArn", functions),
            ("DatabaseOwnerSecretArn", owner),
            ("DatabaseCa", database.ca.display().to_string()),
            ("ProviderSecretArns", key),
            ("ProviderCa", credentials.ca.display().to_string()),
        ];
        let sam = Sam::new(&account, folder.path());
        Self { account, database, apns, sam, parameters, folder }
    }

    /// Deploys the revision whose newest migration is `schema`, with further parameters; an error is what SAM said.
    pub async fn deploy(&self, schema: usize, further: &[(&'static str, &str)]) -> Result<(), String> {
        let mut parameters = self.parameters.clone();
        for (name, value) in further {
            parameters.retain(|(known, _)| known != name);
            parameters.push((name, (*value).to_owned()));
        }
        self.sam.deploy(STACK, &revision::of_schema(schema), &parameters).await
    }

    /// As [`Ground::deploy`], and it succeeds.
    pub async fn deploys(&self, schema: usize, further: &[(&'static str, &str)]) {
        self.deploy(schema, further).await.unwrap_or_else(|said| panic!("the deploy failed:\n{said}"));
    }

    /// Deploys what the emulator does not know, as a stack of its own.
    pub async fn deploy_the_unknown(&self) -> Result<(), String> {
        self.sam.deploy("unknown", &revision::of_the_unknown(), &self.parameters).await
    }

    /// Queues E(n) for devices.
    pub async fn queue(&self, n: u64, devices: impl IntoIterator<Item = usize>) {
        let answer = self.account.invoke(&function("enqueue"), &event(n, devices)).await;
        let results = answer["results"].as_array().expect("results");
        assert!(results.iter().all(|result| result["status"] == "queued"), "{answer}");
    }

    /// Waits until the provider has been given `n` notifications in all, and nothing twice.
    pub async fn until_delivered(&self, n: u64) {
        eventually("the provider receives it", async || self.apns.tally().delivered >= n).await;
        let tally = self.apns.tally();
        assert_eq!((tally.delivered, tally.duplicates, tally.order_violations), (n, 0, 0), "{tally:?}");
    }

    /// Rows that wait in the queue.
    pub async fn left(&self) -> i64 {
        self.database.count("select count(*) from notifications").await
    }

    /// The versions behind the aliases.
    pub async fn versions(&self) -> Vec<String> {
        let mut versions = Vec::new();
        for name in ["enqueue", "drain", "schedule"] {
            versions.push(self.account.version(&function(name)).await);
        }
        versions
    }

    /// Stops everything.
    pub async fn stop(self) {
        // The functions before what they reach.
        drop(self.account);
        self.apns.shutdown().await;
        self.database.stop().await;
        drop(self.folder);
    }
}

/// The name of a function of the stack.
pub fn function(name: &str) -> String {
    format!("{STACK}-{name}")
}
