/** What of one mail is read at most. What is left out is named in `truncated`; the stored source has all of it. */
export const mailLimits = {
  parts: 1_000,
  depth: 100,
  headerBytes: 256 * 1024,
  addresses: 500,
  files: 500,
  references: 1_000,
  /** Bytes of one text part that are shown. The whole part becomes a file if it has more. */
  textBytes: 4 * 1024 * 1024,
  reportBytes: 64 * 1024,
  calendarBytes: 256 * 1024,
  /** Containers with more bytes, such as winmail.dat, are not opened: opening needs them in memory. */
  containerBytes: 32 * 1024 * 1024,
}
