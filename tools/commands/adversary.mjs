import { readdir } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { capture, Failure, must, withEach } from "../shell.mjs"
import { root } from "../workspace.mjs"

const folder = "packages/core/test/adversary"

/**
 * Plays random sequences of users and attackers. With `--holes`, takes out one fix after another and expects the suite, or
 * the test that the hole names, to fail.
 * @param {string[]} args `--holes`, and names of holes; all by default. `--by-test`: only those that name a test, because
 *   the long tests play the others
 */
export async function adversary(args) {
  const names = args.filter((arg) => !arg.startsWith("--"))
  if (!args.includes("--holes"))
    return play([`${folder}/compatible`, `${folder}/strict`], {
      ADVERSARY_RUNS: process.env["ADVERSARY_RUNS"] ?? "20000",
    })
  const holes = (await listed()).filter(({ name }) => names.length === 0 || names.includes(name))
  const unknown = names.filter((name) => !holes.some((hole) => hole.name === name))
  if (unknown.length > 0) throw new Failure(`There is no hole ${unknown.map((name) => `"${name}"`).join(", ")}.`)
  await Promise.all([
    !args.includes("--by-test") &&
      holes.some(({ breaks }) => breaks !== undefined) &&
      play([`${folder}/holes/found`], { HOLES: names.join("|") || undefined }),
    expectRed(holes),
  ])
}

/** @param {readonly string[]} files @param {NodeJS.ProcessEnv} env */
async function play(files, env) {
  await must("vitest", ["run", "--project=long", ...files], {
    cwd: root,
    env: { ...process.env, ...env },
    advice: "The output has the sequence, and the seed and path to play it again.",
  })
}

/**
 * @typedef {{ file: string }} Edit a path from the root, or below packages/core
 * @typedef {Edit & { name: string, also?: readonly Edit[], breaks?: string, test?: { file: string, title: string } }} Hole
 */

/** A newer Node than the one of this process may be needed to load TypeScript. @returns {Promise<readonly Hole[]>} */
async function listed() {
  const files = (await readdir(join(root, folder, "holes"))).filter((name) => /^[a-z]\.ts$/.test(name))
  const imports = files.map((name) => `import("./${folder}/holes/${name}")`)
  const script = `Promise.all([${imports.join()}]).then((all) => console.log(JSON.stringify(all.flatMap(({ holes }) => holes))))`
  const { code, stdout, output } = await capture("node", ["--no-warnings", "-e", script], { cwd: root })
  if (code !== 0) throw new Failure(`The holes can't be read:\n${output}`)
  return JSON.parse(stdout)
}

/** @param {readonly Hole[]} holes */
async function expectRed(holes) {
  const named = holes.flatMap(({ name, test, ...hole }) =>
    test === undefined ? [] : [{ name, ...test, edited: editedBy(hole) }],
  )
  /** @type {string[]} */
  const unnoticed = []
  await withEach(inParts(named), async (part) => {
    const { code, stdout, output } = await capture("node", ["tools/holes.mjs", JSON.stringify(part)], { cwd: root })
    const found = stdout.split("\n").flatMap((line) => (line.startsWith('{"name"') ? [JSON.parse(line)] : []))
    if (code !== 0 || found.length < part.length) throw new Failure(`The tests of the holes can't run:\n${output}`)
    for (const { name, failed } of found) {
      console.log(`${failed > 0 ? "✔" : "✘"} ${name}: ${failed > 0 ? "a test fails" : "no test fails"}`)
      if (failed === 0) unnoticed.push(name)
    }
  })
  if (unnoticed.length > 0) throw new Failure(`Without these fixes, no test fails: ${unnoticed.join("; ")}`)
}

/** @param {Pick<Hole, "file" | "also">} hole */
function editedBy({ file, also = [] }) {
  return [file, ...also.map((edit) => edit.file)].map((path) =>
    path.startsWith("src/") ? `packages/core/${path}` : path,
  )
}

/**
 * One part for each core, so that each core starts vitest once.
 * @template T
 * @param {readonly T[]} items
 */
function inParts(items) {
  const size = Math.max(1, Math.ceil(items.length / availableParallelism()))
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
