import { testBench } from './exact-bench.ts'

// In its own file, because it takes the longest.
testBench('injection')
