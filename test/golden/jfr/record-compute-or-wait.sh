#!/bin/sh
# Records ComputeOrWait.java with JDK 25 or later, with an empty environment and few events:
# record-compute-or-wait.sh JDK FILE.jfr FILE.expected.json
set -e
here=$(dirname "$0")
classes=$(mktemp -d)
"$1/bin/javac" -d "$classes" "$here/ComputeOrWait.java"
settings=settings=none
for setting in \
  'shop.Operation#enabled=true' 'jdk.CPUTimeSample#enabled=true' 'jdk.CPUTimeSample#throttle=10ms' \
  'jdk.ExecutionSample#enabled=true' 'jdk.ExecutionSample#period=10ms' \
  'jdk.NativeMethodSample#enabled=true' 'jdk.NativeMethodSample#period=10ms' \
  'jdk.JavaMonitorEnter#enabled=true' 'jdk.JavaMonitorEnter#threshold=1ms' 'jdk.JavaMonitorEnter#stackTrace=true'; do
  settings="$settings,+$setting"
done
env -i "$1/bin/java" -XX:StartFlightRecording:"$settings",filename="$2" -cp "$classes" ComputeOrWait 40 "$3"
rm -r "$classes"
gzip -9 -f -n "$2"
