/** Channels other than the API. So far, only the widget. */

export { callBackWith } from './widget/call-back.ts'
export { deleteOldVisitors } from './widget/sweep.ts'
