export { addAnswer, changeAnswer, getAnswer, listAnswers, removeAnswer } from './answers.ts'
export { fillAnswer } from './fill.ts'
export { gatheredAnswers, indexedAnswers } from './indexed.ts'
