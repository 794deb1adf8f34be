import { isTimezone } from '../core/timezone.ts'
import type { DueDigest } from './digest-queries.ts'

/** The next full hour, or the next time that the clocks of the person's time zone show this time. `at` is in milliseconds since 1970. */
export function nextDigestTime(
  { digest, at: clock, timezone }: Pick<DueDigest, 'digest' | 'at' | 'timezone'>,
  at: number,
): string {
  const zone = isTimezone(timezone) ? timezone : 'UTC'
  const now = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  if (digest === 'hourly')
    return now.round({ smallestUnit: 'hour', roundingMode: 'floor' }).add({ hours: 1 }).toInstant().toString()
  const today = now.withPlainTime(clock)
  const next =
    Temporal.ZonedDateTime.compare(today, now) > 0 ? today : now.add({ days: 1 }).withPlainTime(clock)
  return next.toInstant().toString()
}
