import { Counter, Gauge, Histogram, Registry } from 'prom-client'

type Gauges = { name: string; help: string; labelNames?: readonly string[] }

const frameOutcomes = ['accepted', 'invalid', 'duplicate', 'refused']
const webhookOutcomes = ['delivered', 'retried', 'given-up']
const runOutcomes = ['success', 'failure']

/**
 * Prometheus counters and histograms of one server. Label values are bounded by the code: route templates, names of jobs and
 * queues, outcomes. Never ids, addresses or personal data.
 */
export class Metrics {
  readonly registry = new Registry()
  readonly requests = new Counter({
    name: 'ess_http_requests_total',
    help: 'Answers by method, route template and status',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [this.registry],
  })
  readonly requestTimes = new Histogram({
    name: 'ess_http_request_duration_seconds',
    help: 'Time to the end of the answer by method and route template; a list is GET of its resource',
    labelNames: ['method', 'route'] as const,
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers: [this.registry],
  })
  readonly jobRuns = new Counter({
    name: 'ess_job_runs_total',
    // Not `job`: the collector adds a label of that name.
    help: 'Runs of background jobs in this process by outcome',
    labelNames: ['name', 'outcome'] as const,
    registers: [this.registry],
  })
  readonly jobDuration = new Gauge({
    name: 'ess_job_last_duration_seconds',
    help: 'How long the last run of a job took',
    labelNames: ['name'] as const,
    registers: [this.registry],
  })
  readonly jobSuccess = new Gauge({
    name: 'ess_job_last_success_timestamp_seconds',
    help: 'When a job has last succeeded in this process',
    labelNames: ['name'] as const,
    registers: [this.registry],
  })
  readonly jobInterval = new Gauge({
    name: 'ess_job_interval_seconds',
    help: 'How often a job is due',
    labelNames: ['name'] as const,
    registers: [this.registry],
  })
  readonly frames = new Counter({
    name: 'ess_ingest_frames_total',
    help: 'Frames of boards by outcome; refused ones were more than their key may store',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  })

  readonly redeliveries = new Counter({
    name: 'ess_ingest_redeliveries_total',
    help: 'Messages of the stream of frames that came again: their worker died, or was late',
    registers: [this.registry],
  })
  readonly deadMessages = new Counter({
    name: 'ess_ingest_dead_total',
    help: 'Messages of the stream of frames that cannot be stored; they are kept in ess.dead',
    registers: [this.registry],
  })
  readonly webhooks = new Counter({
    name: 'ess_webhook_attempts_total',
    help: 'Attempts of webhooks to deliver in this process by outcome',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  })

  /** Series begin at 0: of one that begins with its first event, a rule sees no increase. */
  constructor() {
    for (const outcome of frameOutcomes) this.frames.inc({ outcome }, 0)
    for (const outcome of webhookOutcomes) this.webhooks.inc({ outcome }, 0)
  }

  /** Announces a job before its first run. */
  addJob(name: string, everyS: number): void {
    this.jobInterval.set({ name }, everyS)
    for (const outcome of runOutcomes) this.jobRuns.inc({ name, outcome }, 0)
  }

  /** A gauge read on each scrape. A failing one is omitted, and the others are still reported. */
  gauge<T extends Gauges>({ labelNames = [], ...facts }: T, read: (gauge: Gauge<string>) => unknown): void {
    const gauge: Gauge<string> = new Gauge({
      ...facts,
      labelNames: [...labelNames],
      registers: [this.registry],
      async collect() {
        try {
          await read(gauge)
        } catch {
          gauge.reset()
          if (labelNames.length === 0) gauge.set(Number.NaN)
        }
      },
    })
  }
}
