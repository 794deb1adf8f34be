/** Where conversations come from beside the API: so far, the widget. */

export { callBackWith } from './widget/call-back.ts'
export { deleteOldVisitors } from './widget/sweep.ts'
