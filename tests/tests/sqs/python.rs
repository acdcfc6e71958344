//! The endpoint under botocore, which boto3 and the AWS CLI are made of.

use std::process::Command;

use local::sqs::Endpoint;
use tokio::task::spawn_blocking;

use crate::venv;

#[tokio::test(flavor = "multi_thread")]
async fn botocore_works_unchanged() {
    let endpoint = Endpoint::start().await.unwrap();
    let url = endpoint.url().to_owned();
    let run = move || {
        let mut command = Command::new(venv::python());
        command.args(["-c", include_str!("botocore_client.py"), &url]);
        command.env("AWS_ACCESS_KEY_ID", "test").env("AWS_SECRET_ACCESS_KEY", "test");
        command.output().unwrap()
    };
    let output = spawn_blocking(run).await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
