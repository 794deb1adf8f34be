export {
  createProject,
  findProject,
  listProjects,
  type Project,
  resumeProject,
  suspendProject,
  UnknownIdError,
} from './project.ts'
export { changeSettings } from './settings.ts'
