import '../../../src/core/fonts/inter.css'
import './style/base.css'
import './style/parts.css'
import './style/home.css'
import './style/rows.css'
import './style/conversation.css'
import './style/message.css'
import './style/content.css'
import './style/actions.css'
import './style/composer.css'
import './style/forms.css'

import { render } from 'preact'
import { App } from './app.tsx'
import { showPreview } from './preview.ts'
import { start } from './start.ts'

/** `#preview` is the dashboard's preview. It shows unsaved settings, and requests nothing. */
if (location.hash === '#preview') showPreview()
else void start()

render(<App />, document.getElementById('root')!)
