import { showProgress } from './toasts.ts'

/** Counts work that is done. Returns false once somebody has stopped the work. */
export type Advance = (count: number) => boolean

/** Shows how much of `total` is done while `work` runs. Work that fits into one request shows nothing. */
export async function withProgress<T>(
  { total, perRequest, word }: { total: number; perRequest: number; word(done: number): string },
  work: (advance: Advance) => Promise<T>,
): Promise<T> {
  let done = 0
  let isCanceled = false
  const cancel = () => {
    isCanceled = true
  }
  const advance = (count: number): boolean => {
    done += count
    if (total > perRequest) showProgress({ message: word(done), done, total, cancel })
    return !isCanceled
  }
  advance(0)
  try {
    return await work(advance)
  } finally {
    showProgress(null)
  }
}
