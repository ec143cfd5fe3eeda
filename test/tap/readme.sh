#!/bin/sh
# Every block of README.md does what it says.
exec "$(dirname "$0")/../readme" check
