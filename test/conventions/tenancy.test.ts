import { testForeignIds } from './foreign-ids.ts'

testForeignIds(({ document }) => document !== 'dashboard', 110)
