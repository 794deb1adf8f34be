export { isAwaited, joinAwaited } from './awaited-operators.ts'
export { trySendMail } from './mails.ts'
export {
  type NoticeKind,
  noteForOperators,
  noteUnassigned,
  type PushKind,
  waitingNotices,
  waitingPushes,
} from './notices.ts'
export {
  type AddOperatorResult,
  addOperator,
  createDepartment,
  createOperator,
  findDepartment,
  findOperator,
  lockDepartmentRow,
  type NewOperator,
  pageDepartments,
  pageOperators,
  recordSignInLock,
} from './operator-rows.ts'
export { mailOutage, type OutageMail, type OutageProject, type OutageSender } from './outage-mail.ts'
export { mailSecurityChange } from './password-resets.ts'
export { listRevokedSessions } from './people-queries.ts'
export {
  absenceInterval,
  chooseStatus,
  comeBack,
  endStatuses,
  goOffline,
  noteAbsence,
  waitingStatusEnds,
} from './status.ts'
