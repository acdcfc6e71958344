//! Listens to feedback. A message may come twice, late, and in any order.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use aws_sdk_sqs::Client;
use pushwake::contract::Device;
use pushwake::feedback::{Feedback, Message, token_hash};

use crate::{aws, devices};

pub async fn run(path: &Path) -> Result<ExitCode, Box<dyn Error>> {
    let queue = std::env::var("PUSHWAKE_FEEDBACK").map_err(|_| "PUSHWAKE_FEEDBACK has to be the queue's URL")?;
    let client = Client::new(&aws::config().await);
    loop {
        let receive = client.receive_message().queue_url(&queue).max_number_of_messages(10).wait_time_seconds(20);
        for message in Box::pin(receive.send()).await?.messages.unwrap_or_default() {
            act_on(message.body().unwrap_or_default(), path)?;
            // Only now: one that was not acted on comes again.
            if let Some(receipt) = message.receipt_handle() {
                let delete = client.delete_message().queue_url(&queue).receipt_handle(receipt);
                Box::pin(delete.send()).await?;
            }
        }
    }
}

fn act_on(body: &str, path: &Path) -> Result<(), Box<dyn Error>> {
    match Message::from_json(body)?.feedback {
        Feedback::Unregistered { app, device, token_hash: dead, reason, time, .. } => {
            let is_dead = |one: &Device| {
                let token = one.subscription.as_ref().map(|one| &one.endpoint).or(one.token.as_ref());
                // The device may have got another token since, or registered the same one again.
                (&one.app, &one.id) == (&app, &device)
                    && token.is_some_and(|token| token_hash(token) == dead)
                    && one.registered_at.is_none_or(|registered| registered <= time)
            };
            if devices::forget(path, is_dead)? {
                println!("{} forgotten: {reason}", device.as_str());
            }
        }
        Feedback::Paused { app, reason, until, .. } => println!("{} paused until {until}: {reason}", app.as_str()),
        Feedback::Resumed { app, .. } => println!("{} goes on", app.as_str()),
        // What a newer revision says.
        Feedback::Other => {}
    }
    Ok(())
}
