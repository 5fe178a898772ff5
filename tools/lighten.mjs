// Takes what users don't need out of packed packages, and makes their links absolute: `node tools/lighten.mjs <folder of tarballs>`. A program of its own,
// because the bundler needs the Node that runs the commands of this repository, and not the one that started them.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, relative, sep } from "node:path"
import { bundleDeclarations, unbundled } from "./declarations.mjs"
import { repositoryFields, withAbsoluteLinks } from "./links.mjs"
import { capture, Failure, withEach } from "./shell.mjs"
import { filesBelow, packages, readManifest } from "./workspace.mjs"

const [folder = "."] = process.argv.slice(2)

try {
  await withEach(
    readdirSync(folder).map((name) => join(folder, name)),
    lighten,
  )
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof Failure ? error.message : error)
}

/** @param {string} tarball */
async function lighten(tarball) {
  const unpacked = mkdtempSync(join(tmpdir(), "latchkey-pack-"))
  try {
    await tar("-xzf", tarball, "-C", unpacked)
    const dist = join(unpacked, "package", "dist")
    const { name } = readManifest(join(unpacked, "package", "package.json"))
    const pkg = packages().find(({ manifest }) => manifest.name === name)
    if (pkg === undefined) throw new Failure(`${basename(tarball)} isn't a package of this workspace.`)
    await bundleDeclarations(pkg, dist)
    linkToRepository(pkg.short, join(unpacked, "package"))
    for (const path of filesBelow(dist).filter((path) => path.endsWith(".js"))) removePaths(path)
    const files = filesBelow(unpacked).map((path) => relative(unpacked, path).split(sep).join("/"))
    inspect(basename(tarball), files, unbundled(pkg, dist))
    const list = join(unpacked, "files")
    writeFileSync(list, files.join("\n"))
    await tar("-czf", tarball, "-C", unpacked, "-T", list)
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
  }
}

/** @param {string[]} args */
async function tar(...args) {
  const { code, output } = await capture("tar", args)
  if (code !== 0) throw new Failure(`\`tar ${args.join(" ")}\` failed:\n${output.trim()}`)
}

/** @param {string} short @param {string} folder */
function linkToRepository(short, folder) {
  const manifest = join(folder, "package.json")
  const fields = { ...readManifest(manifest), ...repositoryFields(short) }
  writeFileSync(manifest, `${JSON.stringify(fields, null, 2)}\n`)
  const readme = join(folder, "README.md")
  if (!existsSync(readme)) return
  writeFileSync(readme, withAbsoluteLinks(readFileSync(readme, "utf8"), `packages/${short}`))
}

/** Sources and source maps stay in the workspace, so comments that name them lead nowhere. @param {string} path */
function removePaths(path) {
  const text = readFileSync(path, "utf8")
  const shorter = text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, "\n").replaceAll(/^\/\/ src\/\S+\n/gm, "")
  if (shorter !== text) writeFileSync(path, shorter)
}

/** publint and attw don't look for these. @param {string} name @param {string[]} files @param {string[]} unbundled */
function inspect(name, files, unbundled) {
  for (const wanted of ["package/LICENSE", "package/README.md"]) {
    if (!files.includes(wanted)) throw new Failure(`${name} has no ${wanted}. Add it to the package.`)
  }
  const extra = files.filter((file) => /\.test\.|tsbuildinfo|\/(?:src|test)\/|\.map$/.test(file))
  if (extra.length > 0) throw new Failure(`${name} contains ${extra.join(", ")}. Exclude it with \`files\`.`)
  if (unbundled.length > 0)
    throw new Failure(`${name} has declarations that \`exports\` doesn't name: ${unbundled.join(", ")}`)
}
