// Plain JavaScript for Node.js 20, because this runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const draftPrefix = 'node_modules.new-'

/** Installs missing packages, then runs `entry` with Node.js 26. */
export function launch(entry, args) {
  // Programs outside src/ need the development tools too. So does building the dashboard, if they are installed.
  const tools = !entry.startsWith('src/') || hasTools()
  if (isStale(modules, tools)) install(tools)
  process.env.NODE_COMPILE_CACHE ??= join(modules, '.cache/deskbell')
  const node = findNode()
  if (entry === 'src/main.ts') buildWeb(node)
  become(node, [join(root, entry), ...args])
}

/** Whether node_modules lacks a package of package-lock.json. npm writes its own list last. */
function isStale(folder, tools) {
  const list = join(folder, '.package-lock.json')
  if (!existsSync(list)) return true
  const installed = readJson(list).packages
  const wanted = readJson(join(root, 'package-lock.json')).packages
  const own = wanted[''].optionalDependencies ?? {}
  const isNeeded = (path, { dev, optional, os, cpu }) =>
    (tools || !dev) &&
    (!optional || path.slice('node_modules/'.length) in own) &&
    fits(os, process.platform) &&
    fits(cpu, process.arch)
  return Object.entries(wanted).some(
    ([path, entry]) => path && isNeeded(path, entry) && installed[path]?.version !== entry.version,
  )
}

/** False if the tools were removed to save space on a server. */
function hasTools() {
  const list = join(modules, '.package-lock.json')
  return existsSync(list) && 'node_modules/vite' in readJson(list).packages
}

/** A failure is only reported, because the API works without the pages. */
function buildWeb(node) {
  const build = join(root, 'web/build.ts')
  if (!existsSync(build)) return
  const { status } = spawnSync(node, [build], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0)
    say(
      'The dashboard or the widget could not be built, for the reason above. The server starts without a new build.',
    )
}

const readJson = path => JSON.parse(readFileSync(path, 'utf8'))
const fits = (list, own) => !list || [list].flat().includes(own)

/** Installs into a draft folder and then renames it, so that killed or concurrent installs leave nothing incomplete. */
function install(tools) {
  const begun = Date.now()
  say("Installing Deskbell's packages (at the first start and after an update) …")
  removeDrafts()
  const draft = join(root, `${draftPrefix}${process.pid}`)
  mkdirSync(draft, { recursive: true })
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(root, name), join(draft, name))
  runNpm(draft)
  moveIntoPlace(draft, tools)
  rmSync(draft, { recursive: true, force: true })
  say(`Installed in ${Math.ceil((Date.now() - begun) / 1000)} s.`)
}

/** Without install scripts: our packages do not need them, and npm 12 does not run them by default. */
function runNpm(draft) {
  const own = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm']
  const [command, ...args] = [...own, 'ci', '--ignore-scripts', '--include=dev', '--include=optional']
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  // Keeps standard output for the program that runs next.
  const { status, error } = spawnSync(command, [...args, ...quiet], {
    cwd: draft,
    stdio: ['ignore', 2, 2],
    env: ownEnvironment(),
  })
  if (status === 0) return
  rmSync(draft, { recursive: true, force: true })
  fail(
    error
      ? `Cannot run npm (${error.code}); install Node.js together with npm and start again`
      : "npm could not install Deskbell's packages, for the reason above; check the network and start again",
  )
}

/** Removes settings of an outer npm, which would make the inner one use the outer folder. */
const ownEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(config_(local_)?prefix|package_)/.test(name)),
  )

function moveIntoPlace(draft, tools) {
  if (existsSync(modules) && isStale(modules, tools)) renameSync(modules, join(draft, 'old'))
  try {
    renameSync(join(draft, 'node_modules'), modules)
  } catch (error) {
    // Another process has installed them in the meantime.
    if (isStale(modules, tools)) throw error
  }
}

function removeDrafts() {
  for (const name of readdirSync(root)) {
    if (!name.startsWith(draftPrefix) || isAlive(Number(name.slice(draftPrefix.length)))) continue
    rmSync(join(root, name), { recursive: true, force: true })
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function findNode() {
  const isOwnNewEnough = Number(process.versions.node.split('.')[0]) >= 26
  if (isOwnNewEnough) return process.execPath
  const machine = `${process.platform}-${process.arch}`
  const path = join(modules, `${machine === 'darwin-arm64' ? 'node-bin' : 'node'}-${machine}`, 'bin/node')
  if (existsSync(path)) return checkRuns(path)
  return fail(
    `Deskbell needs Node.js 26, which npm does not have for ${machine}; install it yourself and start again`,
  )
}

/** Minimal Linux images lack a library that Node.js needs, and its own error message does not say what to do. */
export function checkRuns(node) {
  const { status, stderr, error } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (status === 0) return node
  const reason = error ? `${error.code}: is this a Linux without glibc?` : stderr.trim()
  const help = reason.includes('libatomic')
    ? 'Install libatomic (Debian, Ubuntu: apt-get install libatomic1; Fedora: dnf install libatomic)'
    : 'Install Node.js 26 yourself'
  return fail(
    `The Node.js 26 that came with Deskbell does not run here (${reason}). ${help} and start again.`,
  )
}

/** Replaces this process if Node.js supports it (22.15 and newer), else starts a child and forwards signals. */
function become(node, args) {
  if (process.execve) process.execve(node, [node, ...args], process.env)
  const child = spawn(node, args, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => fail(`Cannot run ${node} (${error.code})`))
  child.on('exit', (status, signal) => {
    if (signal) for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name)
    if (signal) process.kill(process.pid, signal)
    else process.exit(status)
  })
}

function say(words) {
  process.stderr.write(`${words}\n`)
}

function fail(words) {
  say(words)
  process.exit(1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) launch(process.argv[2], process.argv.slice(3))
