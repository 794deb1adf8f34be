export { recordFirstSteps } from './first-steps.ts'
export {
  createProject,
  findProject,
  listProjects,
  type Project,
  resumeProject,
  suspendProject,
  UnknownIdError,
} from './project.ts'
export { changeSettings, findTimezone } from './settings.ts'
export { type FirstStep, firstSteps } from './step-names.ts'
