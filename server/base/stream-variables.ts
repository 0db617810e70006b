import { address, flag, number } from './setting-values.ts'

/** Variables of the stream that frames may wait in between their acceptance and the database. */
export const streamVariables = {
  natsUrl: {
    name: 'NATS_URL',
    schema: address('nats', 'tls').optional(),
    absent: 'frames go to the database at once',
    about: 'NATS server with JetStream that keeps frames until they are stored: nats://user:password@host:4222',
  },
  natsMaxMb: {
    name: 'NATS_MAX_MB',
    schema: number(16, 1_000_000).default(1024),
    absent: '1024',
    about: 'Megabytes that the stream holds; when it is full, boards are asked to wait',
  },
  natsReplicas: {
    name: 'NATS_REPLICAS',
    schema: number(1, 5)
      .refine((count) => count % 2 === 1, 'use 1, 3 or 5: an even number survives no more failures')
      .default(1),
    absent: '1',
    about: 'Servers of a NATS cluster that keep each frame: 1, 3 or 5',
  },
  ingestWork: {
    name: 'INGEST_WORK',
    schema: flag.default(true),
    absent: 'true',
    about: 'This process stores what is in the stream; false only accepts frames',
  },
} as const
