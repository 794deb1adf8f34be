/** Limits for one email. `truncated` lists what was left out; the stored source is complete. */
export const mailLimits = {
  parts: 1_000,
  depth: 100,
  headerBytes: 256 * 1024,
  addresses: 500,
  files: 500,
  references: 1_000,
  /** The bytes of a text part, and the characters of all texts together, that are shown. A larger part is also stored as a file. */
  textBytes: 4 * 1024 * 1024,
  /** HTML whose elements are nested deeper is not shown, because sanitising it takes too long. */
  nesting: 500,
  reports: 5,
  reportBytes: 64 * 1024,
  calendarBytes: 256 * 1024,
  /** Larger containers, such as winmail.dat, are not opened, because opening loads them into memory. */
  containerBytes: 32 * 1024 * 1024,
}
