import { files, middle, testVersions } from './versions.ts'

testVersions(middle, files.length)
