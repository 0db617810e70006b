import { type RawBuilder, sql } from 'kysely'

const ageH = (now: Date) => sql`extract(epoch from ${now}::timestamptz - "w"."raisedAt")::float8 / 3600`

/**
 * Priority of the open warning "w" at the ESS "e": severity, size of the system, age up to three days; halved by an
 * acknowledgement.
 */
export const attentionScore = (now: Date): RawBuilder<number> =>
  sql`(case "w"."severity" when 'CRITICAL' then 100 when 'WARNING' then 10 else 1 end
    * (1 + ln(1 + coalesce("e"."ratedEnergyWh", 0)::float8 / 10000) / ln(2::float8))
    * (1 + least(greatest(${ageH(now)}, 0), 72) / 24) / case when "w"."acknowledged" then 2 else 1 end)`
