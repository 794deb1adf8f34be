/** Where a command writes its result, and lines of progress and warnings. */
export const output = {
  write: (text: string): void => void process.stdout.write(text),
  tell: (line: string): void => void process.stderr.write(`${line}\n`),
}

/** Such as "1 file", "2 files". */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
