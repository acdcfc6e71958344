//! Apps and their keys: parsed and matched by the code that signs with them, never used.

use std::path::Path;

use drain::provider::Providers;
use pushwake::app::{App, Environment, Platform};
use pushwake::function::apps::AppsRef;
use pushwake::function::secret::{SecretRef, Secrets};
use serde_json::Value;

use super::Finding;

pub(super) async fn look(apps: AppsRef, provider_ca: Option<&Path>) -> Vec<Finding> {
    let apps = match apps.read().await {
        Ok(apps) => apps,
        Err(error) => {
            return vec![Finding::wrong("apps", error.to_string(), "correct PUSHWAKE_APPS; docs/apps.md has a sample")];
        }
    };
    let mut providers = match Providers::new(provider_ca) {
        Ok(providers) => providers,
        Err(error) => return vec![Finding::wrong("PUSHWAKE_PROVIDER_CA", error.to_string(), "name a file of PEM")],
    };
    let secrets = Secrets::default();
    let mut findings = Vec::new();
    for app in apps.iter() {
        findings.extend(look_at(app, &secrets, &mut providers).await);
    }
    findings
}

async fn look_at(app: &App, secrets: &Secrets, providers: &mut Providers) -> Vec<Finding> {
    let subject = format!("app {}", app.id.as_str());
    let Some(reference) = SecretRef::read(app.platform.key()) else {
        return vec![Finding::wrong(subject, "its key is no reference", "name a file: or secretsmanager: reference")];
    };
    let key = match secrets.read(&reference).await {
        Ok(key) => key,
        Err(error) => {
            let fix = "put the key there, or correct the reference; until then the app is paused";
            return vec![Finding::wrong(subject, error.to_string(), fix)];
        }
    };
    if let Err(error) = providers.add(app, key.expose()) {
        let fix = format!("replace what {reference} holds; until then the app is paused");
        return vec![Finding::wrong(subject, error.fault.to_string(), fix)];
    }
    let mut findings = vec![Finding::ok(&subject, told(&app.platform))];
    findings.extend(doubt(&subject, &app.platform, key.expose()));
    findings
}

fn told(platform: &Platform) -> String {
    match platform {
        Platform::Apns(app) => {
            let environment = match app.environment {
                Environment::Production => "production",
                Environment::Sandbox => "sandbox",
            };
            format!("APNs {environment}, topic {}, team {}, key {}: the key signs", app.topic, app.team, app.key_id)
        }
        Platform::Fcm(app) => format!("FCM, project {}: the service account signs", app.project),
        Platform::WebPush(app) => format!("Web Push, subject {}: the key belongs to public_key", app.subject),
    }
}

/// What works and may not be meant.
fn doubt(subject: &str, platform: &Platform, key: &str) -> Vec<Finding> {
    let mut doubts = Vec::new();
    let simulated = match platform {
        Platform::Apns(app) => (app.base_url != app.environment.base_url()).then_some(&app.base_url),
        Platform::Fcm(app) => (!app.base_url.ends_with("//fcm.googleapis.com")).then_some(&app.base_url),
        Platform::WebPush(app) => app.base_url.as_ref(),
    };
    if let Some(url) = simulated {
        doubts.push(Finding::warning(
            subject,
            format!("it sends to {url}"),
            "leave base_url out for the real provider",
        ));
    }
    if let Platform::Apns(app) = platform {
        for (name, id) in [("team", &app.team), ("key_id", &app.key_id)] {
            if id.len() != 10 {
                let seen = format!("its {name} has {} characters; Apple's have ten", id.len());
                doubts.push(Finding::warning(subject, seen, "copy it from Apple's developer pages"));
            }
        }
    }
    if let (Platform::Fcm(app), Ok(file)) = (platform, serde_json::from_str::<Value>(key))
        && let Some(of) = file["project_id"].as_str().filter(|of| *of != app.project)
    {
        let fix = "take the key of a service account of the app's project, unless that one was given the right to send";
        doubts.push(Finding::warning(subject, format!("its service account is of the project {of}"), fix));
    }
    doubts
}
