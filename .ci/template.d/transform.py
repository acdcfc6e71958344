"""Writes what CloudFormation makes of a SAM template: transform.py TEMPLATE [NAME=VALUE ...] > transformed.json"""

import json
import logging
import sys

from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samcli.yamlhelper import yaml_parse

MANAGED = {
    "AWSLambdaBasicExecutionRole": "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole",
    "AWSLambdaVPCAccessExecutionRole": "arn:aws:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole",
}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        template = yaml_parse(file.read())
    # `sam build` uploads the folder; the transform takes only what was uploaded.
    function = template.get("Globals", {}).get("Function", {})
    if "CodeUri" in function:
        function["CodeUri"] = "s3://bucket/code"
    parameters = template["Parameters"].items()
    values = {name: parameter["Default"] for name, parameter in parameters if "Default" in parameter}
    values.update(given.split("=", 1) for given in sys.argv[2:])
    if "Transform" in template:
        template = Translator(MANAGED, Parser()).translate(template, values)
    json.dump(template, sys.stdout, indent=1)


# The translator warns of switches that only AWS can set.
logging.disable(logging.WARNING)
main()
