/** Bytes, 200 MB: specification §8. */
export const largestFile = 209_715_200

/** Our own limit. Longer names are refused. */
export const longestName = 4_096
