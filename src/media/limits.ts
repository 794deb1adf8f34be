/** Bytes, 200 MB: specification §8. */
export const maxFileBytes = 209_715_200

/** Our own limit. Longer names are refused. */
export const maxFileNameLength = 4_096
