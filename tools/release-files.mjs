// What `npm run release` leaves behind: tarballs, their bills of materials, the changelog, and the order to publish in.
import { createHash } from "node:crypto"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { pathsIn } from "./links.mjs"
import { capture, Failure } from "./shell.mjs"
import { readManifest } from "./workspace.mjs"

/**
 * @typedef {object} Released
 * @property {string} name
 * @property {string} version
 * @property {string} tarball the name of the file
 * @property {string} sbom the name of the file
 * @property {string} integrity as npm shows it
 * @property {string[]} needs packages of this workspace
 *
 * @typedef {object} Release
 * @property {Released[]} packages in the order to publish: what a package needs is there before it
 * @property {string} changelog
 *
 * @typedef {{ ref: string, dependsOn: string[] }} Edge
 * @typedef {{ "bom-ref": string }} Component
 * @typedef {{ metadata: { component: Component }, components: Component[], dependencies: Edge[] }} Sbom CycloneDX 1.6
 */

/**
 * @param {{ copy: string, boms: string, out: string }} folders a clone with `dist/packages`, the bills of materials as pnpm writes
 * them, and where everything goes
 * @returns {Promise<Release>}
 */
export async function collect({ copy, boms, out }) {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const tarballs = join(copy, "dist", "packages")
  /** @type {Released[]} */
  const found = []
  for (const tarball of readdirSync(tarballs)) found.push(await released(join(tarballs, tarball)))
  const packages = ordered(found)
  const sboms = new Map(packages.map(({ name }) => [name, readSbom(boms, name)]))
  for (const each of packages) {
    copyFileSync(join(tarballs, each.tarball), join(out, each.tarball))
    writeFileSync(join(out, each.sbom), `${JSON.stringify(complete(each, packages, sboms), null, 2)}\n`)
  }
  const changelog = changesIn(copy)
  writeFileSync(join(out, "CHANGELOG.md"), changelog)
  writeFileSync(join(out, "release.json"), `${JSON.stringify({ packages }, null, 2)}\n`)
  return { packages, changelog }
}

/** Reads a tarball, as npm would. @param {string} tarball @returns {Promise<Released>} */
async function released(tarball) {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-tarball-"))
  try {
    const { code, output } = await capture("tar", ["-xzf", tarball, "-C", folder])
    if (code !== 0) throw new Failure(`Could not unpack ${basename(tarball)}:\n${output.trim()}`)
    const unpacked = join(folder, "package")
    const manifest = readManifest(join(unpacked, "package.json"))
    const { name, version } = manifest
    const dead = pathsIn(readFileSync(join(unpacked, "README.md"), "utf8")).filter(
      (path) => !existsSync(join(unpacked, path.replace(/#.*/, ""))),
    )
    if (dead.length > 0)
      throw new Failure(`The README of ${name} has links that lead nowhere on npm: ${dead.join(", ")}`)
    return {
      name,
      version,
      tarball: basename(tarball),
      sbom: basename(tarball).replace(/\.tgz$/, ".cdx.json"),
      integrity: `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`,
      needs: needsOf(manifest),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The packages of this workspace that npm installs with a package. @param {import("./workspace.mjs").Manifest} manifest */
function needsOf({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
  return [...Object.keys(dependencies), ...peers].filter((name) => /^(?:@latchkey\/|latchkey$)/.test(name))
}

/** @param {readonly Released[]} all @returns {Released[]} */
function ordered(all) {
  /** @type {Set<Released>} */
  const done = new Set()
  /** @param {Released} each @param {readonly string[]} path */
  const add = (each, path) => {
    if (done.has(each)) return
    if (path.includes(each.name)) throw new Failure(`Packages need each other: ${[...path, each.name].join(" → ")}`)
    for (const needed of all.filter(({ name }) => each.needs.includes(name))) add(needed, [...path, each.name])
    done.add(each)
  }
  for (const each of all) add(each, [])
  return [...done]
}

/** @param {string} boms @param {string} name @returns {Sbom} */
function readSbom(boms, name) {
  return JSON.parse(readFileSync(join(boms, `${name.replace("@", "").replace("/", "-")}.json`), "utf8"))
}

/**
 * pnpm leaves out packages of the workspace, and what only they need.
 * @param {Released} released @param {readonly Released[]} all @param {ReadonlyMap<string, Sbom>} sboms
 * @returns {Sbom}
 */
function complete({ name, needs }, all, sboms) {
  const own = sboms.get(name)
  if (own === undefined) throw new Failure(`There is no bill of materials of ${name}.`)
  const others = all.filter((each) => needs.includes(each.name)).map((each) => complete(each, all, sboms))
  const components = [...own.components, ...others.flatMap((each) => [each.metadata.component, ...each.components])]
  const root = own.metadata.component["bom-ref"]
  const added = others.map((each) => each.metadata.component["bom-ref"])
  const edges = own.dependencies.map((edge) =>
    edge.ref === root ? { ...edge, dependsOn: [...edge.dependsOn, ...added] } : edge,
  )
  return {
    ...own,
    components: [...new Map(components.map((each) => [each["bom-ref"], each])).values()],
    dependencies: [
      ...new Map([...others.flatMap((each) => each.dependencies), ...edges].map((each) => [each.ref, each])).values(),
    ],
  }
}

/** The newest entry of each changelog. Packages with the same text share one. @param {string} copy */
function changesIn(copy) {
  /** @type {Map<string, string[]>} */
  const texts = new Map()
  for (const short of readdirSync(join(copy, "packages"))) {
    const path = join(copy, "packages", short, "CHANGELOG.md")
    if (!existsSync(path)) continue
    const [, version = "", text = ""] =
      /^## (\S+)\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(readFileSync(path, "utf8")) ?? []
    const { name } = readManifest(join(copy, "packages", short, "package.json"))
    const changes = text.replace(/\n- Updated dependencies[\s\S]*$/, "").replace(/\n### Patch Changes\s*$/, "")
    texts.set(changes.trim(), [...(texts.get(changes.trim()) ?? []), `${name} ${version}`])
  }
  return [...texts].map(([text, names]) => `## ${names.join(", ")}\n\n${text || "Updated dependencies."}\n`).join("\n")
}
