// Devices that are paused because they changed unusually much. Every page asks the owner about them.
import { GET, dataOf, type Schemas } from '../api/client';
import { onChange } from '../app/live';
import { pollWhileVisible } from '../boards/polling';

export type Alarm = Schemas['Alarm'];

const POLL_INTERVAL_MS = 60_000;
// A device that raises an alarm has just made many changes: one request for all of them.
const CHANGE_DELAY_MS = 2000;

class Alarms {
  /** Alarms that wait for a decision. */
  open = $state.raw<Alarm[]>([]);
  /** Whether this browser is paused. */
  isPaused = $state(false);

  /** Load now, after changes, and from time to time; returns the function that stops and clears the list. */
  watch(): () => void {
    const refresh = (): void => void this.refresh().catch(() => {});
    let timer: ReturnType<typeof setTimeout> | undefined;
    refresh();
    const stopPolling = pollWhileVisible(() => this.refresh(), POLL_INTERVAL_MS);
    const unsubscribe = onChange(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        refresh();
      }, CHANGE_DELAY_MS);
    });
    return () => {
      clearTimeout(timer);
      stopPolling();
      unsubscribe();
      this.show({ alarms: [], isPaused: false });
    };
  }

  async refresh(): Promise<void> {
    this.show(await dataOf(GET('/x/v1/alarms')));
  }

  show({ alarms, isPaused }: Schemas['AlarmList']): void {
    this.open = alarms.filter((one) => one.state === 'open');
    this.isPaused = isPaused;
  }
}

export const alarms = new Alarms();
