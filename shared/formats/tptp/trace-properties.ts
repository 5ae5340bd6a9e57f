import { type FactTable, factTable, MOST_FACT_ROWS } from '../../facts/format-facts.ts';
import { AGENT_CREATE, attributeAt, FILTER, NODE, OPTION, PROCESS_CREATE } from '../../tptp/messages.ts';
import type { TraceEvent } from './trace-event.ts';

const HOST = attributeAt(NODE, 'hostname');
const ADDRESS = attributeAt(NODE, 'ipaddress');
const PID = attributeAt(PROCESS_CREATE, 'pid');
const EXECUTABLE = attributeAt(PROCESS_CREATE, 'applicationExecutable');
const AGENT = attributeAt(AGENT_CREATE, 'agentName');
const VERSION = attributeAt(AGENT_CREATE, 'version');
const PARAMETERS = attributeAt(AGENT_CREATE, 'agentParameters');
const KEY = attributeAt(OPTION, 'key');
const VALUE = attributeAt(OPTION, 'value');
const FILTER_TEXTS = [
  'mode',
  'pattern',
  'genericPattern',
  'methodMode',
  'methodPattern',
  'methodGenericPattern',
].map((name) => attributeAt(FILTER, name));

/** Where a trace comes from and how it was set up. */
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

  /** `more` rows besides. */
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
