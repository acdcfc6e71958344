//! Private clusters: what starts, restarts, and leaves nothing behind.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use local::postgres::{Cluster, Options, Stop};
use sqlx::{Connection, PgConnection};

/// Set for the child process that is killed.
const CHILD: &str = "PUSHWAKE_TEST_CHILD";

#[tokio::test]
async fn a_clone_holds_what_its_template_held_and_survives_a_crash_of_the_server() {
    let cluster = Cluster::start(Options::default()).await.unwrap();
    cluster.create_database("template").await.unwrap();
    let mut template = PgConnection::connect_with(&cluster.connect_options("template")).await.unwrap();
    sqlx::query("create table notes as select 7 as n").execute(&mut template).await.unwrap();
    template.close().await.unwrap();

    let clone = |name| cluster.clone_database("template", name);
    let (one, two, three) = tokio::join!(clone("one"), clone("two"), clone("three"));
    one.and(two).and(three).unwrap();
    let port = cluster.port();
    cluster.restart(Stop::Immediate).await.unwrap();
    assert_eq!(cluster.port(), port);

    let mut clone = PgConnection::connect_with(&cluster.connect_options("three")).await.unwrap();
    let n: i32 = sqlx::query_scalar("select n from notes").fetch_one(&mut clone).await.unwrap();
    assert_eq!(n, 7);
    cluster.drop_database("three").await.unwrap();

    let folder = cluster.folder().to_owned();
    cluster.stop().await.unwrap();
    assert!(!folder.exists(), "{} was left behind", folder.display());
}

#[tokio::test]
async fn a_setting_that_postgres_refuses_is_reported_in_its_own_words() {
    let settings = vec![("no_such_setting".to_owned(), "1".to_owned())];
    let error = Cluster::start(Options { settings, ..Options::default() }).await.unwrap_err();
    assert!(error.to_string().contains("no_such_setting"), "{error}");
}

/// Not a test of its own: the process that the next test kills.
#[tokio::test]
async fn child_that_holds_a_cluster() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let cluster = Cluster::start(Options::default()).await.unwrap();
    println!("folder {}", cluster.folder().display());
    std::future::pending::<()>().await;
}

#[test]
fn a_killed_process_leaves_neither_server_nor_folder_behind() {
    let (folder, pid) = killed_with_a_cluster(|_| ());
    gone(&folder, pid);
}

#[test]
fn a_process_killed_after_its_server_died_leaves_no_folder_behind() {
    let (folder, pid) = killed_with_a_cluster(|pid| {
        assert!(Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap().success());
    });
    gone(&folder, pid);
}

/// Starts a process that holds a cluster, lets `before` act on the postmaster, and kills the process.
fn killed_with_a_cluster(before: impl FnOnce(u32)) -> (PathBuf, u32) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_that_holds_a_cluster", "--nocapture"])
        .env(CHILD, "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let folder = lines.find_map(|line| line.unwrap().split_once("folder ").map(|(_, path)| PathBuf::from(path)));
    let folder = folder.expect("the child started a cluster");
    let status = std::fs::read_to_string(folder.join("cluster/postmaster.pid")).unwrap();
    let pid = status.lines().next().unwrap().parse().unwrap();
    assert!(alive(pid));
    before(pid);
    child.kill().unwrap();
    child.wait().unwrap();
    // The harness's pipe is closed too: nothing that outlives the child holds it open.
    assert_eq!(lines.map_while(Result::ok).count(), 0);
    (folder, pid)
}

fn gone(folder: &std::path::Path, pid: u32) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while folder.exists() || alive(pid) {
        assert!(Instant::now() < deadline, "{} or server {pid} was left behind", folder.display());
        sleep(Duration::from_millis(20));
    }
}

/// Whether the postmaster still runs; one that only waits to be collected by the init process does not.
fn alive(pid: u32) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().unwrap().stdout;
    !state.is_empty() && state[0] != b'Z'
}
