import { text } from '../core/text.ts'
import { Controls } from './bar.tsx'
import { problem } from './problem.ts'

export function Problem() {
  const { words, again } = problem.value!
  return (
    <main class="page">
      <header class="bar">
        <h1 class="bar-title bar-name" tabIndex={-1}>
          {text.value.chat}
        </h1>
        <Controls />
      </header>
      <div class="nothing" role="alert">
        <p>{text.value[words]}</p>
        {again && (
          <button type="button" class="quiet" onClick={again}>
            {text.value.retry}
          </button>
        )}
      </div>
    </main>
  )
}
