#!/bin/sh
# Records Requests.java with JDK 25 or later, with an empty environment and few events: record-requests.sh JDK FILE.jfr
set -e
here=$(dirname "$0")
classes=$(mktemp -d)
"$1/bin/javac" -d "$classes" "$here/Requests.java"
settings=settings=none
for setting in \
  'shop.Trace#enabled=true' 'shop.Operation#enabled=true' \
  'jdk.ExecutionSample#enabled=true' 'jdk.ExecutionSample#period=10ms' \
  'jdk.MethodTrace#enabled=true' 'jdk.MethodTrace#filter=Requests::price' 'jdk.MethodTrace#stackTrace=false'; do
  settings="$settings,+$setting"
done
env -i "$1/bin/java" -XX:StartFlightRecording:"$settings",filename="$2" -cp "$classes" Requests 600
rm -r "$classes"
gzip -9 -f -n "$2"
