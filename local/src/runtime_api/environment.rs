//! The environment of an instance: what Lambda sets, and nothing of this process's own.

use super::Settings;
use crate::sqs::{ACCOUNT, REGION};

/// Passed on where this process has them: they concern the machine, not the function.
const PASSED_ON: [&str; 6] =
    ["PATH", "TMPDIR", "RUST_BACKTRACE", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LLVM_PROFILE_FILE"];

/// The function's ARN.
pub(super) fn arn(function: &str) -> String {
    format!("arn:aws:lambda:{REGION}:{ACCOUNT}:function:{function}")
}

/// All variables of an instance whose Runtime API is at `runtime_api`. The function's own settings come last and win.
pub(super) fn of_instance(settings: &Settings, runtime_api: &str) -> Vec<(String, String)> {
    let lambda = [
        ("AWS_LAMBDA_RUNTIME_API", runtime_api.to_owned()),
        ("AWS_LAMBDA_FUNCTION_NAME", settings.name.clone()),
        ("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST".to_owned()),
        ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "256".to_owned()),
        ("AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand".to_owned()),
        ("AWS_LAMBDA_LOG_GROUP_NAME", format!("/aws/lambda/{}", settings.name)),
        ("AWS_LAMBDA_LOG_STREAM_NAME", format!("local/[$LATEST]{}", uuid::Uuid::new_v4().simple())),
        ("AWS_LAMBDA_LOG_FORMAT", "JSON".to_owned()),
        ("AWS_LAMBDA_LOG_LEVEL", "INFO".to_owned()),
        ("AWS_EXECUTION_ENV", "AWS_Lambda_provided.al2023".to_owned()),
        ("_HANDLER", "bootstrap".to_owned()),
        ("TZ", ":UTC".to_owned()),
        ("LANG", "en_US.UTF-8".to_owned()),
        ("AWS_REGION", REGION.to_owned()),
        ("AWS_DEFAULT_REGION", REGION.to_owned()),
        // Nothing on this machine checks them, and without them the SDK would look for real ones.
        ("AWS_ACCESS_KEY_ID", "local".to_owned()),
        ("AWS_SECRET_ACCESS_KEY", "local".to_owned()),
    ];
    let passed_on = PASSED_ON.iter().filter_map(|name| Some(((*name).to_owned(), std::env::var(name).ok()?)));
    let lambda = lambda.map(|(name, value)| (name.to_owned(), value));
    passed_on.chain(lambda).chain(settings.environment.iter().cloned()).collect()
}
