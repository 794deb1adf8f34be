/** Bytes, 200 MB: spec §8. */
export const maxFileBytes = 209_715_200

/** Ours: longer names are refused. */
export const maxFileNameLength = 4_096
