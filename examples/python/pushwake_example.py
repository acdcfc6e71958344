"""A product that sends through Pushwake, and listens to its feedback.

    python pushwake_example.py send DEVICES EVENT   # one event for every device of the file DEVICES
    python pushwake_example.py feedback DEVICES     # forgets what a provider calls dead, until it is stopped

The same code runs on AWS and against `pushwake up`: AWS_ENDPOINT_URL says where. PUSHWAKE_FUNCTION (pushwake-enqueue) is
the function, PUSHWAKE_FEEDBACK the URL of the feedback queue.
"""

import hashlib
import json
import os
import random
import sys
import time
from datetime import datetime

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

ATTEMPTS = 5  # calls before a device is left for another time
DEVICES = 500  # devices of one call
FUNCTION = os.environ.get("PUSHWAKE_FUNCTION", "pushwake-enqueue")

# A time-out of a call is no harm: the same call again answers `duplicate` for what was queued.
CONFIG = Config(connect_timeout=2, read_timeout=30, retries={"mode": "standard", "max_attempts": 3})


# The product's devices: here a file of JSON, in a product a table.


def read_devices(path):
    with open(path) as file:
        return json.load(file)


def forget(path, dead):
    """Forgets the devices for which `dead` is true. Says whether there was one."""
    devices = read_devices(path)
    left = [device for device in devices if not dead(device)]
    if len(left) == len(devices):
        return False
    with open(path + ".new", "w") as file:
        json.dump(left, file, indent=2)
    os.replace(path + ".new", path)
    return True


# Sending.


def back_off(attempt):
    """Full jitter, so that callers who failed together don't come back together."""
    time.sleep(random.uniform(0, 0.2 * 2**attempt))


def enqueue(client, request):
    """Calls until there is an answer: whenever it is not known what became of a call, the same call is made again."""
    payload = json.dumps(request)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            answer = client.invoke(FunctionName=FUNCTION, Qualifier="live", Payload=payload)
            body = json.load(answer["Payload"])
            if "FunctionError" not in answer:
                return body
            error = f"{body.get('errorType')}: {body.get('errorMessage')}"
            if body.get("errorType") == "Pushwake.InvalidRequest":
                raise ValueError(error)
        except (BotoCoreError, ClientError) as failed:
            error = str(failed)
        back_off(attempt)
    raise RuntimeError(f"not handed over: {error}")


def send(client, event, devices):
    """One event for up to 500 devices: yields each with its result.

    A device that is rate limited is tried again with the same event, so nothing is ever sent twice.
    """
    for attempt in range(1, ATTEMPTS + 1):
        request = {
            "v": 1,
            "source": "example-python",
            "event": event,
            "notification": {
                "title": "Your order is on its way",
                "body": "It arrives tomorrow between 9 and 12.",
                "collapse_id": event,
            },
            "devices": devices,
        }
        later = []
        for device, result in zip(devices, enqueue(client, request)["results"]):
            if result["status"] == "rate_limited" and attempt < ATTEMPTS:
                later.append(device)
            else:
                yield device, result
        if not later:
            return
        devices = later
        back_off(attempt)


def act_on(device, result, path):
    """Whether all is well with a device."""
    status = result["status"]
    print(device["id"], status, result.get("field", ""), result.get("reason", ""), flush=True)
    if status in ("queued", "duplicate", "dismissed"):
        return True
    if status == "unregistered":
        # Its provider called the token dead: forget it, and wait for the app to register again.
        forget(path, lambda one: one == device)
        return True
    if status == "expired":
        return True  # Too late: decide whether the news is worth a new event.
    # `conflict` (another content under an event id that was used) and `invalid` (it names the field) are faults of ours;
    # `rate_limited` is for the caller's own retry or dead letters by now; the rest a newer revision says.
    return False


def run_send(path, event):
    client = boto3.client("lambda", config=CONFIG)
    devices, well = read_devices(path), True
    for first in range(0, len(devices), DEVICES):
        for device, result in send(client, event, devices[first : first + DEVICES]):
            well &= act_on(device, result, path)
    return 0 if well else 1


# Feedback.


def token_hash(device):
    """Of an APNs token in lower case, of an FCM token as it is, of a subscription its endpoint."""
    token = device["subscription"]["endpoint"] if "subscription" in device else device["token"]
    return hashlib.sha256(token.encode()).hexdigest()


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def act_on_feedback(message, path):
    kind = message.get("kind")
    if kind == "unregistered":

        def is_dead(one):
            # The device may have got another token since, or registered the same one again.
            return (
                (one["app"], one["id"]) == (message["app"], message["device"])
                and token_hash(one) == message["token_hash"]
                and ("registered_at" not in one or instant(one["registered_at"]) <= instant(message["time"]))
            )

        if forget(path, is_dead):
            print(message["device"], "forgotten:", message["reason"], flush=True)
    elif kind == "paused":
        print(message["app"], "paused until", message["until"], message["reason"], flush=True)
    elif kind == "resumed":
        print(message["app"], "goes on", flush=True)
    # Anything else is what a newer revision says.


def run_feedback(path):
    queue = os.environ["PUSHWAKE_FEEDBACK"]
    client = boto3.client("sqs", config=CONFIG)
    while True:
        answer = client.receive_message(QueueUrl=queue, MaxNumberOfMessages=10, WaitTimeSeconds=20)
        for message in answer.get("Messages", []):
            act_on_feedback(json.loads(message["Body"]), path)
            # Only now: one that was not acted on comes again.
            client.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["send", path, event]:
            sys.exit(run_send(path, event))
        case ["feedback", path]:
            run_feedback(path)
        case _:
            sys.exit("usage: pushwake_example.py send DEVICES EVENT | feedback DEVICES")
