// Everything that is to be uploaded, a few files at a time. What a person sees of it is told a few times a second.
import type { Item } from '../files/item';
import { canReplace } from './conflicts';
import { uploadOne, type Outcome, type Tools } from './one_upload';
import { Pace, share, type Amount } from './pace';
import { LOST, problemOf } from './problems';
import { Task, placeOf, type Decision, type Wanted } from './task.svelte';

/** Where the queue survives a reload. */
export interface Keeper {
  save(tasks: readonly Task[]): void;
  forget(tasks: readonly Task[]): void;
  close(): Promise<void>;
}

export interface Summary {
  /** Without those that were cancelled. */
  files: number;
  finished: number;
  /** Of the finished ones, those of which nothing was sent: the same was there, or the person skipped them. */
  passed: number;
  bytes: number;
  sentBytes: number;
  running: number;
  waiting: number;
  asking: number;
  failed: number;
  /** 0 to 1. */
  share: number;
  bytesPerSecond: number;
  secondsLeft: number | null;
}

export interface Hooks {
  onDone?: (item: Item) => void;
  onIdle?: (summary: Summary) => void;
  /** The session is over: nothing is wrong with the file. */
  isSessionOver?: (problem: unknown) => boolean;
}

export const AT_ONCE = 4;
// Finished files that are still listed; of the others only the number is known.
const LISTED = 200;
const TELL_EVERY_MS = 200;
const STOPPED = new DOMException('Paused', 'AbortError');
const CANCELLED = new DOMException('Cancelled', 'AbortError');

const NOTHING: Summary = {
  files: 0,
  finished: 0,
  passed: 0,
  bytes: 0,
  sentBytes: 0,
  running: 0,
  waiting: 0,
  asking: 0,
  failed: 0,
  share: 0,
  bytesPerSecond: 0,
  secondsLeft: null,
};

export class Queue {
  /** What is listed: questions, what runs, failures, what waits, and the latest that are finished. */
  rows = $state.raw<readonly Task[]>([]);
  summary = $state.raw<Summary>(NOTHING);
  isPaused = $state(false);
  isEnded = false;
  /** The file that a question is asked about. */
  asked = $state.raw<Task | null>(null);

  #tools: Tools;
  #hooks: Hooks;
  #keeper: Keeper | null = null;
  #waiting: Task[] = [];
  #running = new Map<Task, AbortController>();
  #asking: Task[] = [];
  #failed: Task[] = [];
  #finished: Task[] = [];
  #all: Amount = { files: 0, bytes: 0 };
  #done: Amount = { files: 0, bytes: 0 };
  #passed = 0;
  #forAll: Decision | null = null;
  #pace = new Pace();
  #teller: ReturnType<typeof setTimeout> | undefined;
  #prefix: string;
  #last = 0;
  #whenIdle = new Set<() => void>();
  #isSuspended = false;
  /** Whether something was uploaded since everything was told to be over. */
  #hasRun = false;

  constructor(tools: Tools, hooks: Hooks = {}, prefix = '') {
    this.#tools = { ...tools, onBegun: (task) => this.#keeper?.save([task]) };
    this.#hooks = hooks;
    this.#prefix = prefix;
  }

  keepIn(keeper: Keeper): void {
    this.#keeper = keeper;
    keeper.save(this.#unfinished());
  }

  /** Give everything up, and keep nothing. */
  async end(): Promise<void> {
    const keeper = this.#keeper;
    this.isEnded = true;
    this.#keeper = null;
    this.suspend();
    this.cancelAll();
    await keeper?.close();
  }

  /** Whether something would be cut off if the page went away now. */
  get isBusy(): boolean {
    return this.#running.size > 0 || (this.#waiting.length > 0 && !this.isPaused);
  }

  get isEmpty(): boolean {
    return !this.#running.size && !this.#waiting.length && !this.#asking.length;
  }

  add(wanted: readonly Wanted[]): void {
    if (this.isEmpty && !this.#failed.length) this.#beginAnew();
    const lost = new Map(this.#failed.filter((task) => !task.file && !task.isFolder).map((task) => [task.place, task]));
    const found = new Set<Task>();
    const added: Task[] = [];
    for (const one of wanted) {
      const known = lost.get(placeOf(one));
      if (known && one.file) {
        // What a reload has lost is here again, and goes on where it was.
        known.file = one.file;
        known.problem = null;
        known.state = 'waiting';
        found.add(known);
      } else {
        const task = new Task(`${this.#prefix}${String(++this.#last).padStart(8, '0')}`, one);
        this.#count(task, 1);
        added.push(task);
      }
    }
    if (found.size) this.#failed = this.#failed.filter((task) => !found.has(task));
    this.#enqueue([...found, ...added]);
  }

  /** Tasks that a reload has brought back. */
  takeBack(tasks: readonly Task[]): void {
    for (const task of tasks) {
      this.#count(task, 1);
      task.isBack = true;
    }
    const [lost, whole] = [tasks.filter(isLost), tasks.filter((task) => !isLost(task))];
    for (const task of lost) {
      task.problem = LOST;
      task.state = 'failed';
    }
    const [failed, waiting] = [whole.filter((task) => task.problem), whole.filter((task) => !task.problem)];
    for (const task of failed) task.state = 'failed';
    this.#failed.push(...lost, ...failed);
    this.#enqueue(waiting);
  }

  pause(): void {
    this.isPaused = true;
    this.#stopRunning();
    this.#tellSoon();
  }

  resume(): void {
    this.isPaused = false;
    this.#pace.reset();
    this.#pump();
  }

  cancel(task: Task): void {
    const running = this.#running.get(task);
    if (running) running.abort(CANCELLED);
    else this.#drop(new Set([task]));
  }

  cancelAll(): void {
    for (const stop of this.#running.values()) stop.abort(CANCELLED);
    this.#drop(new Set([...this.#waiting, ...this.#asking, ...this.#failed]));
    this.isPaused = false;
  }

  retry(tasks: readonly Task[] = this.#failed): void {
    const again = new Set(tasks.filter((task) => task.state === 'failed' && (task.file || task.isFolder)));
    this.#failed = this.#failed.filter((task) => !again.has(task));
    for (const task of again) {
      task.problem = null;
      task.state = 'waiting';
    }
    this.#enqueue([...again]);
  }

  /** What a person decided about the file that was asked about, or about every such file of this run. */
  decide(decision: Decision, forAll: boolean): void {
    const asked = this.#asking[0];
    if (!asked) return;
    if (forAll) this.#forAll = decision;
    const meant = forAll ? this.#asking.filter((task) => fits(decision, task)) : [asked];
    const decided = new Set(meant);
    this.#asking = this.#asking.filter((task) => !decided.has(task));
    for (const task of meant) task.decision = decision;
    if (decision === 'skip') for (const task of meant) this.#finish(task, 'skipped');
    else {
      for (const task of meant) task.state = 'waiting';
      this.#waiting = [...meant, ...this.#waiting];
      this.#keeper?.save(meant);
    }
    this.#pump();
    // At once: a second click must not answer the next question.
    this.#tell();
    this.#tellIdle();
  }

  /** Forget what is over. */
  clear(): void {
    this.#drop(new Set(this.#failed));
    if (this.isEmpty) this.#beginAnew();
    this.#tell();
  }

  /** Stop without losing anything: somebody else is logged in, or nobody. */
  suspend(): void {
    const wasPaused = this.isPaused;
    this.pause();
    this.isPaused = wasPaused;
    this.#isSuspended = true;
  }

  wake(): void {
    this.#isSuspended = false;
    this.#pump();
  }

  idle(): Promise<void> {
    return this.isEmpty ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.add(resolve));
  }

  #beginAnew(): void {
    this.#finished = [];
    this.#all = { files: 0, bytes: 0 };
    this.#done = { files: 0, bytes: 0 };
    this.#passed = 0;
    this.#pace.reset();
  }

  #enqueue(tasks: Task[]): void {
    this.#waiting = this.#waiting.concat(tasks);
    this.#keeper?.save(tasks);
    this.#pump();
  }

  #unfinished(): Task[] {
    return [...this.#running.keys(), ...this.#asking, ...this.#failed, ...this.#waiting];
  }

  #pump(): void {
    while (!this.isPaused && !this.#isSuspended && this.#running.size < AT_ONCE) {
      const task = this.#waiting.shift();
      if (!task) break;
      const stop = new AbortController();
      this.#running.set(task, stop);
      this.#hasRun = true;
      void this.#run(task, stop.signal);
    }
    this.#tellSoon();
  }

  async #run(task: Task, signal: AbortSignal): Promise<void> {
    let outcome: Outcome | null = null;
    try {
      outcome = await uploadOne(task, this.#tools, signal);
    } catch (problem) {
      this.#running.delete(task);
      if (signal.reason === CANCELLED) this.#drop(new Set([task]));
      else if (signal.aborted) this.#putBack(task);
      else if (this.#hooks.isSessionOver?.(problem)) {
        this.#putBack(task);
        this.suspend();
      } else this.#fail(task, problem);
    }
    if (outcome) this.#take(task, outcome);
    this.#pump();
    this.#tellIdle();
  }

  #take(task: Task, outcome: Outcome): void {
    this.#running.delete(task);
    if (outcome.is !== 'question') {
      this.#finish(task, task.isBack ? 'done' : outcome.is);
      if (outcome.is === 'done' && outcome.item) this.#hooks.onDone?.(outcome.item);
      return;
    }
    task.inTheWay = outcome.there;
    if (this.#forAll && fits(this.#forAll, task)) {
      task.decision = this.#forAll;
      if (task.decision === 'skip') return this.#finish(task, 'skipped');
      return this.#putBack(task);
    }
    task.state = 'conflict';
    this.#asking.push(task);
  }

  #putBack(task: Task): void {
    task.state = 'waiting';
    task.sent = 0;
    this.#waiting.unshift(task);
  }

  #finish(task: Task, state: 'done' | 'unchanged' | 'skipped'): void {
    task.state = state;
    task.file = null;
    this.#done = { files: this.#done.files + 1, bytes: this.#done.bytes + task.size };
    if (state !== 'done') this.#passed += 1;
    this.#finished.push(task);
    if (this.#finished.length > 2 * LISTED) this.#finished = this.#finished.slice(-LISTED);
    this.#keeper?.forget([task]);
  }

  #fail(task: Task, problem: unknown): void {
    task.problem = problemOf(problem);
    task.state = 'failed';
    this.#failed.push(task);
    this.#keeper?.save([task]);
  }

  #drop(tasks: ReadonlySet<Task>): void {
    const stays = (task: Task): boolean => !tasks.has(task);
    for (const task of tasks) {
      this.#count(task, -1);
      task.file = null;
      // Where it cannot be said now, the server gives it up by itself in a week.
      if (task.upload) void this.#tools.server.giveUp(task.upload).catch(() => {});
    }
    this.#waiting = this.#waiting.filter(stays);
    this.#asking = this.#asking.filter(stays);
    this.#failed = this.#failed.filter(stays);
    this.#keeper?.forget([...tasks]);
    this.#tellSoon();
    this.#tellIdle();
  }

  #count(task: Task, sign: 1 | -1): void {
    this.#all = { files: this.#all.files + sign, bytes: this.#all.bytes + sign * task.size };
  }

  #stopRunning(): void {
    for (const stop of this.#running.values()) stop.abort(STOPPED);
  }

  #tellIdle(): void {
    if (!this.isEmpty) return;
    this.#forAll = null;
    this.#tools.folders.forget();
    this.#tell();
    if (this.#hasRun) this.#hooks.onIdle?.(this.summary);
    this.#hasRun = false;
    for (const go of this.#whenIdle) go();
    this.#whenIdle.clear();
  }

  #tellSoon(): void {
    this.#teller ??= setTimeout(() => this.#tell(), TELL_EVERY_MS);
  }

  #tell(): void {
    clearTimeout(this.#teller);
    this.#teller = undefined;
    const running = [...this.#running.keys()];
    const sent = { files: this.#done.files, bytes: this.#done.bytes + running.reduce((sum, one) => sum + one.sent, 0) };
    // Failed files are out of the way: the bar gets to its end without them.
    const lost = { files: this.#failed.length, bytes: this.#failed.reduce((sum, one) => sum + one.size, 0) };
    const all = { files: this.#all.files - lost.files, bytes: this.#all.bytes - lost.bytes };
    if (running.length) this.#pace.note(sent, Date.now());
    this.asked = this.#asking[0] ?? null;
    this.rows = [
      ...this.#asking,
      ...running,
      ...this.#failed,
      ...this.#waiting,
      ...this.#finished.slice(-LISTED).reverse(),
    ];
    this.summary = {
      files: this.#all.files,
      finished: this.#done.files,
      passed: this.#passed,
      bytes: this.#all.bytes,
      sentBytes: sent.bytes,
      running: running.length,
      waiting: this.#waiting.length,
      asking: this.#asking.length,
      failed: this.#failed.length,
      share: share(sent, all),
      bytesPerSecond: this.isPaused ? 0 : this.#pace.bytesPerSecond(),
      secondsLeft: this.isPaused ? null : this.#pace.secondsLeft(sent, all),
    };
    if (running.length) this.#tellSoon();
  }
}

function isLost(task: Task): boolean {
  return !task.file && !task.isFolder;
}

function fits(decision: Decision, task: Task): boolean {
  return decision !== 'replace' || (task.inTheWay !== null && canReplace(task.inTheWay));
}
