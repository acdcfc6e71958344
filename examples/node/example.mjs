// A product that sends through Pushwake, and listens to its feedback.
//
//     node example.mjs send DEVICES EVENT   # one event for every device of the file DEVICES
//     node example.mjs feedback DEVICES     # forgets what a provider calls dead, until it is stopped
//
// The same code runs on AWS and against `pushwake up`: AWS_ENDPOINT_URL says where. PUSHWAKE_FUNCTION (pushwake-enqueue)
// is the function, PUSHWAKE_FEEDBACK the URL of the feedback queue.

import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";

const ATTEMPTS = 5; // calls before a device is left for another time
const DEVICES = 500; // devices of one call
const FUNCTION = process.env.PUSHWAKE_FUNCTION ?? "pushwake-enqueue";

// The product's devices: here a file of JSON, in a product a table.

const readDevices = (path) => JSON.parse(readFileSync(path, "utf8"));

// Forgets the devices for which `dead` is true. Says whether there was one.
function forget(path, dead) {
  const devices = readDevices(path);
  const left = devices.filter((device) => !dead(device));
  if (left.length === devices.length) return false;
  writeFileSync(`${path}.new`, JSON.stringify(left, null, 2));
  renameSync(`${path}.new`, path);
  return true;
}

// Sending.

// Full jitter, so that callers who failed together don't come back together.
const backOff = (attempt) => sleep(Math.random() * 200 * 2 ** attempt);

// Calls until there is an answer: whenever it is not known what became of a call, the same call is made again. The SDK
// does so by itself where Lambda did not take the call.
async function enqueue(client, request) {
  const call = { FunctionName: FUNCTION, Qualifier: "live", Payload: JSON.stringify(request) };
  let last;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      const answer = await client.send(new InvokeCommand(call));
      const body = JSON.parse(answer.Payload.transformToString());
      if (!answer.FunctionError) return body;
      last = new Error(`${body.errorType}: ${body.errorMessage}`);
      if (body.errorType === "Pushwake.InvalidRequest") break;
    } catch (error) {
      last = error;
    }
    await backOff(attempt);
  }
  throw last;
}

// One event for up to 500 devices. A device that is rate limited is tried again with the same event, so nothing is ever
// sent twice.
async function send(client, event, devices) {
  const done = [];
  for (let attempt = 1; devices.length > 0; attempt++) {
    if (attempt > 1) await backOff(attempt);
    const { results } = await enqueue(client, {
      v: 1,
      source: "example-node",
      event,
      notification: {
        title: "Your order is on its way",
        body: "It arrives tomorrow between 9 and 12.",
        collapse_id: event,
      },
      devices,
    });
    const answered = devices.map((device, n) => ({ device, result: results[n] }));
    const isLater = ({ result }) => result.status === "rate_limited" && attempt < ATTEMPTS;
    done.push(...answered.filter((one) => !isLater(one)));
    devices = answered.filter(isLater).map(({ device }) => device);
  }
  return done;
}

// Whether all is well with a device.
function actOn(device, result, path) {
  console.log(device.id, result.status, result.field ?? "", result.reason ?? "");
  switch (result.status) {
    case "queued":
    case "duplicate":
    case "dismissed":
      return true;
    case "unregistered":
      // Its provider called the token dead: forget it, and wait for the app to register again.
      forget(path, (one) => JSON.stringify(one) === JSON.stringify(device));
      return true;
    case "expired":
      return true; // Too late: decide whether the news is worth a new event.
    case "conflict": // another content under an event id that was used: a fault of ours
    case "invalid": // `field` is a fault of ours
    case "rate_limited": // by now for the caller's own retry or dead letters
    default: // a newer revision says more than we know
      return false;
  }
}

async function runSend(path, event) {
  const client = new LambdaClient({});
  const devices = readDevices(path);
  let well = true;
  for (let first = 0; first < devices.length; first += DEVICES) {
    for (const { device, result } of await send(client, event, devices.slice(first, first + DEVICES))) {
      well = actOn(device, result, path) && well;
    }
  }
  return well ? 0 : 1;
}

// Feedback. A message may come twice, late, and in any order.

// Of an APNs token in lower case, of an FCM token as it is, of a subscription its endpoint.
const tokenHash = ({ token, subscription }) =>
  createHash("sha256").update(subscription?.endpoint ?? token).digest("hex");

function actOnFeedback(message, path) {
  switch (message.kind) {
    case "unregistered": {
      // The device may have got another token since, or registered the same one again.
      const isDead = (one) =>
        one.app === message.app &&
        one.id === message.device &&
        tokenHash(one) === message.token_hash &&
        !(new Date(one.registered_at ?? 0) > new Date(message.time));
      if (forget(path, isDead)) console.log(message.device, "forgotten:", message.reason);
      break;
    }
    case "paused":
      console.log(message.app, "paused until", message.until, message.reason);
      break;
    case "resumed":
      console.log(message.app, "goes on");
      break;
    default: // what a newer revision says
  }
}

async function runFeedback(path) {
  const client = new SQSClient({});
  const QueueUrl = process.env.PUSHWAKE_FEEDBACK;
  for (;;) {
    const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 });
    const { Messages = [] } = await client.send(receive);
    for (const { Body, ReceiptHandle } of Messages) {
      actOnFeedback(JSON.parse(Body), path);
      // Only now: one that was not acted on comes again.
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }
}

const [command, path, event] = process.argv.slice(2);
if (command === "send" && event) process.exitCode = await runSend(path, event);
else if (command === "feedback" && path) await runFeedback(path);
else {
  console.error("usage: node example.mjs send DEVICES EVENT | feedback DEVICES");
  process.exitCode = 2;
}
