//! `pushwake up`: the product, kept until Ctrl-C.

use crate::interrupt::Orderly;
use crate::stack::{self, FEEDBACK, Stack, StackError, WAKES};

/// The options of `pushwake up`.
#[derive(Debug, Default, clap::Args)]
pub struct Options {
    /// Leave instances running between invocations instead of stopping them as Lambda does.
    #[arg(long)]
    no_freeze: bool,
}

/// Brings the product up, says where it is, and stops it on Ctrl-C.
pub async fn run(options: Options) -> Result<(), StackError> {
    eprintln!("Starting Postgres, SQS, a simulated provider of each kind and the functions ...");
    let stack = Stack::start(stack::Options { freeze: !options.no_freeze, ..stack::Options::default() }).await?;
    let orderly = Orderly::new();
    let database = stack.connect_options();
    println!("folder    {}", stack.cluster().folder().display());
    println!("postgres  {}", stack.cluster().database_url(database.get_database().unwrap_or_default()));
    println!("sqs       {}", stack.sqs.url());
    println!("wakes     {}", stack.sqs.queue_url(WAKES));
    println!("feedback  {}", stack.sqs.queue_url(FEEDBACK));
    println!("apns      {}", stack.apns.base_url());
    println!("fcm       {}", stack.fcm.base_url());
    println!("webpush   {}", stack.webpush.base_url());
    println!("Ctrl-C stops everything and removes the folder.");
    orderly.interrupt().await;
    eprintln!("Stopping ...");
    stack.stop().await
}
