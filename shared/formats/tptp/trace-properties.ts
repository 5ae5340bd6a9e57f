import { type FactTable, factTable, MOST_FACT_ROWS } from '../../facts/format-facts.ts';
import { AGENT_CREATE, attributeIndex, FILTER, NODE, OPTION, PROCESS_CREATE } from '../../tptp/messages.ts';
import type { TraceEvent } from './trace-event.ts';

const HOST = attributeIndex(NODE, 'hostname');
const ADDRESS = attributeIndex(NODE, 'ipaddress');
const PID = attributeIndex(PROCESS_CREATE, 'pid');
const EXECUTABLE = attributeIndex(PROCESS_CREATE, 'applicationExecutable');
const AGENT = attributeIndex(AGENT_CREATE, 'agentName');
const VERSION = attributeIndex(AGENT_CREATE, 'version');
const PARAMETERS = attributeIndex(AGENT_CREATE, 'agentParameters');
const KEY = attributeIndex(OPTION, 'key');
const VALUE = attributeIndex(OPTION, 'value');
const FILTER_TEXTS = [
  'mode',
  'pattern',
  'genericPattern',
  'methodMode',
  'methodPattern',
  'methodGenericPattern',
].map((name) => attributeIndex(FILTER, name));

/** The origin of a trace and the settings of its agent. */
export class TraceProperties {
  readonly #rows: (readonly [string, string])[] = [];

  take(event: TraceEvent): void {
    if (this.#rows.length === MOST_FACT_ROWS) return;
    switch (event.message) {
      case NODE:
        this.#add('host', joined(event.text(HOST), event.text(ADDRESS)));
        break;
      case PROCESS_CREATE:
        this.#add('process', joined(String(event.number(PID)), event.text(EXECUTABLE)));
        break;
      case AGENT_CREATE:
        this.#add('agent', joined(event.text(AGENT), event.text(VERSION), event.text(PARAMETERS)));
        break;
      case OPTION:
        this.#add(`option ${event.text(KEY)}`, event.text(VALUE));
        break;
      case FILTER:
        this.#add('filter', joined(...FILTER_TEXTS.map((at) => event.text(at))));
        break;
    }
  }

  /** With `more` rows at its end. */
  table(more: readonly (readonly [string, string])[]): FactTable | undefined {
    const rows = [...this.#rows, ...more];
    if (rows.length === 0) return undefined;
    return factTable(
      'Trace',
      [
        { name: 'What', kind: 'text' },
        { name: 'Value', kind: 'text' },
      ],
      rows,
    );
  }

  #add(what: string, value: string): void {
    this.#rows.push([what, value]);
  }
}

function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}
