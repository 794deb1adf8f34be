import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { addAnswer, changeAnswer, getAnswer, listAnswers, removeAnswer } from './answers.ts'
import { fillAnswer } from './fill.ts'
import {
  answerFilling,
  cannedAnswer,
  cannedAnswerChange,
  cannedAnswerList,
  cannedAnswerQuery,
  filledAnswer,
  newCannedAnswer,
} from './schema.ts'

const tag = 'Canned replies'
const answerPath = '/canned-answers/{canned_answer_id}'

export const cannedAnswerDashboard: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/canned-answers',
    tag,
    summary: 'List and search canned replies',
    description:
      'Your own and the shared ones, with an excerpt of their text. Shortcuts that begin with `q` come first.',
    query: cannedAnswerQuery,
    responses: { 200: cannedAnswerList },
    errors: [],
    run: async call => ({ items: await listAnswers(call.db, call, call.query) }),
  }),
  endpoint({
    method: 'POST',
    path: '/canned-answers',
    tag,
    summary: 'Create a canned reply',
    description: 'Only admins can create shared ones.',
    body: newCannedAnswer,
    responses: { 201: cannedAnswer },
    errors: ['CANNED_ANSWER_EXISTS', 'ROLE_REQUIRED', 'VALIDATION_ERROR'],
    run: call => addAnswer(call.db, call, call.body),
  }),
  endpoint({
    method: 'GET',
    path: answerPath,
    tag,
    summary: 'Read a canned reply',
    responses: { 200: cannedAnswer },
    errors: ['CANNED_ANSWER_NOT_FOUND'],
    run: call => getAnswer(call.db, call, call.params.canned_answer_id!),
  }),
  endpoint({
    method: 'PATCH',
    path: answerPath,
    tag,
    summary: 'Change a canned reply',
    body: cannedAnswerChange,
    responses: { 200: cannedAnswer },
    errors: ['CANNED_ANSWER_NOT_FOUND', 'CANNED_ANSWER_EXISTS', 'ROLE_REQUIRED', 'VALIDATION_ERROR', 'stale'],
    isConditional: true,
    run: call => changeAnswer(call.db, call, call.params.canned_answer_id!, call.body, call.version),
  }),
  endpoint({
    method: 'DELETE',
    path: answerPath,
    tag,
    summary: 'Delete a canned reply',
    responses: { 204: null },
    errors: ['CANNED_ANSWER_NOT_FOUND', 'ROLE_REQUIRED'],
    run: call => removeAnswer(call.db, call, call.params.canned_answer_id!),
  }),
  endpoint({
    method: 'POST',
    path: `${answerPath}/fill`,
    tag,
    summary: 'Fill in the placeholders of a canned reply',
    body: answerFilling,
    responses: { 200: filledAnswer },
    errors: ['CANNED_ANSWER_NOT_FOUND', 'TICKET_NOT_FOUND'],
    run: call => fillAnswer(call.db, call, call.params.canned_answer_id!, call.body),
  }),
]
