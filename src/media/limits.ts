/** Bytes, 200 MB: spec §8. */
export const largestFile = 209_715_200

/** Ours: longer names are refused. */
export const longestName = 4_096
