/** Statements of which each begins with this text in this file of `src`. */
export interface ExceptionGroup {
  reason: string
  statements: [file: string, begin: string][]
}

/** Statements that do not give the parameter of one project to all tables. */
export const distributionExceptions: ExceptionGroup[] = []

/** Statements that no test runs. */
export const unusedStatements: ExceptionGroup[] = []
