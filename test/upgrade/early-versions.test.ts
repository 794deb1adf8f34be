import { middle, testVersions } from './versions.ts'

testVersions(0, middle)
