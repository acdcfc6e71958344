"""What an operator does with boto3 or the AWS CLI. botocore is the client inside both, and checks the MD5 sums."""

import sys

from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.session import get_session

sqs = get_session().create_client(
    "sqs", region_name="eu-central-1", endpoint_url=sys.argv[1], config=Config(retries={"max_attempts": 0})
)


def code(call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        return error.response["Error"]["Code"], error.response["ResponseMetadata"]["HTTPStatusCode"]
    raise AssertionError(f"{arguments} was not refused")


url = sqs.create_queue(QueueName="wakes", Attributes={"VisibilityTimeout": "270"}, tags={"app": "pushwake"})["QueueUrl"]
assert sqs.get_queue_url(QueueName="wakes")["QueueUrl"] == url
assert sqs.list_queues()["QueueUrls"] == [url]

attributes = {
    "city": {"DataType": "String", "StringValue": "Zürich"},
    "raw": {"DataType": "Binary", "BinaryValue": b"\x00\xff"},
}
sent = sqs.send_message(QueueUrl=url, MessageBody='{"v":1}', MessageAttributes=attributes)
received = sqs.receive_message(
    QueueUrl=url, WaitTimeSeconds=1, MessageSystemAttributeNames=["All"], MessageAttributeNames=["All"]
)["Messages"]
assert [message["MessageId"] for message in received] == [sent["MessageId"]]
assert received[0]["Body"] == '{"v":1}'
assert received[0]["MessageAttributes"] == attributes
assert received[0]["MD5OfMessageAttributes"] == sent["MD5OfMessageAttributes"]
assert received[0]["Attributes"]["ApproximateReceiveCount"] == "1"
sqs.change_message_visibility(QueueUrl=url, ReceiptHandle=received[0]["ReceiptHandle"], VisibilityTimeout=60)
sqs.delete_message(QueueUrl=url, ReceiptHandle=received[0]["ReceiptHandle"])
assert "Messages" not in sqs.receive_message(QueueUrl=url)

batch = sqs.send_message_batch(QueueUrl=url, Entries=[{"Id": str(n), "MessageBody": "wake"} for n in range(10)])
assert len(batch["Successful"]) == 10 and "Failed" not in batch
names = ["ApproximateNumberOfMessages", "VisibilityTimeout"]
answer = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
assert answer == {"ApproximateNumberOfMessages": "10", "VisibilityTimeout": "270"}, answer
sqs.purge_queue(QueueUrl=url)

missing = ("AWS.SimpleQueueService.NonExistentQueue", 400)
assert code(sqs.get_queue_url, QueueName="nobody-made-this") == missing
assert code(sqs.send_message, QueueUrl=url + "-not", MessageBody="wake") == missing
assert code(sqs.delete_message, QueueUrl=url, ReceiptHandle="forged") == ("ReceiptHandleIsInvalid", 400)
assert code(sqs.send_message, QueueUrl=url, MessageBody="wake", DelaySeconds=901) == ("InvalidParameterValue", 400)
assert code(sqs.create_queue, QueueName="wakes", Attributes={"DelaySeconds": "1"}) == ("QueueAlreadyExists", 400)
try:
    sqs.delete_queue(QueueUrl=url + "-not")
except sqs.exceptions.QueueDoesNotExist:
    pass
sqs.delete_queue(QueueUrl=url)
