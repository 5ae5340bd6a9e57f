import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { AttachedJvm } from '../../../electron/jvm/attach.ts';
import { FlightRecorder } from '../../../electron/recording/flight-recorder.ts';
import type { Jvm } from '../../../electron/jvm/jvm.ts';
import { JvmList } from '../../../electron/jvm/jvm-list.ts';
import { useLogWorker } from '../../support/built-worker.ts';
import { CHECKOUT_IN_TMP, containerLauncher, NO_CONTAINER } from '../../support/container.ts';
import { attachedBy, connectToJvms, entryOf, PROFILE, samplesOf, waitFor } from '../../support/jvm-client.ts';
import { readInput } from '../../support/read-input.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CHOSEN_JDKS, NO_JVM, startJvm } from '../../support/test-jvm.ts';
import { testUnless } from '../../support/test-unless.ts';

const workerUrl = useLogWorker();

for (const { major, home } of CHOSEN_JDKS)
  testUnless(NO_JVM ?? NO_CONTAINER)(
    `JDK ${major} in a container: listed with its perf data, attached, followed, recorded and left as found`,
    async () => {
      const cwd = temporaryFolder();
      const launcher = containerLauncher(join(home, 'bin/java'));
      const { pid: launched } = await startJvm({ launcher, program: ['in', 'container'], cwd });
      const isInContainer = ({ pid, ownPid }: Jvm): boolean =>
        ownPid === 1 &&
        new RegExp(`^PPid:\\t${launched}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'));
      const jvm = new JvmList().read().find(isInContainer)!;
      expect(jvm).toMatchObject({ main: 'Busy', mainArguments: 'in container', obstacle: undefined });
      expect(jvm).toMatchObject({
        can: ['jfr', 'dumps'],
        version: expect.stringMatching(`^${major}`) as string,
      });
      const { pid } = jvm;
      // Its perf data is in its own folder for temporary files, by the pid that it has there.
      const inside = join(`/proc/${pid}`, 'root', 'tmp');
      const perfData = readdirSync(inside).filter((name) => name.startsWith('hsperfdata_'));
      expect(perfData.map((name) => readdirSync(join(inside, name)))).toEqual([['1']]);
      const leftOf = (): readonly string[] =>
        [...readdirSync(inside), ...readdirSync(cwd)].filter(
          (name) => !name.startsWith('hsperfdata_') && name !== CHECKOUT_IN_TMP,
        );
      expect(leftOf()).toEqual([]);

      // A JVM that was killed leaves its socket, and a later process may get its pid.
      const outside = `/tmp/.java_pid${pid}`;
      rmSync(outside, { force: true });
      const attached = await AttachedJvm.open(jvm);
      expect(await attached.run('threaddump')).toContain('"worker-0"');
      expect([leftOf(), existsSync(outside)]).toEqual([['.java_pid1'], false]);

      const { client, host } = await connectToJvms(workerUrl());
      const { id } = await entryOf(client, pid);
      const log = await attachedBy(client, { type: 'attachJvm', jvm: id, always: false, ...PROFILE });
      client.subscribe(log);
      await waitFor(() => samplesOf(client, log) > 0, 'the first flush');
      const recorder = new FlightRecorder(attached);
      expect(await recorder.list()).toHaveLength(1);
      await host.stop();
      expect(await recorder.list()).toEqual([]);

      const out = join(temporaryFolder(), 'out.jfr');
      const { status, stderr } = await runCli(['record', String(pid), '-o', out, '-d', '1s']);
      expect([status, stderr]).toEqual([0, '']);
      const { decoder, aggregator } = readInput(readFileSync(out));
      expect(decoder.damage).toBeUndefined();
      expect(aggregator.sampleCount).toBeGreaterThan(0);
      const dumps = join(temporaryFolder(), 'out.tdump');
      const argv = ['record', String(pid), '-o', dumps, '--with', 'dumps', '-d', '500ms', '--share', '100'];
      expect((await runCli(argv)).status).toBe(0);
      expect(readFileSync(dumps, 'utf8')).toContain('at Busy.work(');
      expect(await recorder.list()).toEqual([]);
    },
  );
