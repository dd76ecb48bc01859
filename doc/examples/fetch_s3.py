#!/usr/bin/env python3
"""Fetches logs from S3: prints the object at an address, in pieces, so that large logs need no memory.

In ~/.config/tlparse/config.json:

    {"fetch": {"s3": ["python3", "/path/to/fetch_s3.py", "{url}"]}}

Then tlparse s3://bucket/key works. boto3 finds credentials, region and endpoint as the AWS command line does; with a
stand-in for S3, set AWS_ENDPOINT_URL.
"""
import shutil
import sys

import boto3

bucket, _, key = sys.argv[1].removeprefix("s3://").partition("/")
try:
    body = boto3.client("s3").get_object(Bucket=bucket, Key=key)["Body"]
    shutil.copyfileobj(body, sys.stdout.buffer, 1 << 20)
except Exception as error:  # one line says enough
    sys.exit(f"{type(error).__name__}: {error}")
