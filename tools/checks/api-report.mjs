import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { entriesOf, filesBelow, packages, root, shown } from "../workspace.mjs"

/** @typedef {import("../workspace.mjs").Package} Package */
/** @typedef {import("../workspace.mjs").Entry} Entry */

/**
 * Compares the API reports with the built packages. A report lists the public types of an entry that declares any: an entry
 * that only re-exports those of other packages, or exports nothing, has none.
 * @param {{ write: boolean }} options `write`: update the reports
 * @returns {Promise<string[]>} the reports that are or were outdated
 */
export async function compareReports({ write }) {
  const extractor = (await import("@microsoft/api-extractor")).default
  return packages().flatMap((pkg) => {
    const reports = reportsOf(extractor, pkg)
    const paths = new Set([...reports.keys(), ...filesBelow(join(pkg.folder, "api"))])
    const outdated = [...paths].filter((path) => textOf(path) !== reports.get(path))
    if (write) for (const path of outdated) replace(path, reports.get(path))
    return outdated.map((path) =>
      reports.has(path) ? shown(path) : `${shown(path)} (no entry declares anything for it)`,
    )
  })
}

/** @param {string} path */
function textOf(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined
}

/** @param {string} path @param {string | undefined} report */
function replace(path, report) {
  if (report === undefined) rmSync(path)
  else writeFileSync(path, report)
}

/** Entries that package.json names. Those behind a pattern are the providers, which all have the same shape. @param {Package} pkg */
function reported(pkg) {
  const { name, exports = {} } = pkg.manifest
  return entriesOf(pkg).filter(({ specifier }) => specifier.replace(name, ".") in exports)
}

/** The extractor writes such a line above everything that a package declares itself. */
const declaration = /^\/\/ @(?:public|beta|alpha|internal)/m

/**
 * The reports of a package by their paths.
 * @param {typeof import("@microsoft/api-extractor")} extractor
 * @param {Package} pkg
 * @returns {ReadonlyMap<string, string>}
 */
function reportsOf({ CompilerState, Extractor, ExtractorConfig }, pkg) {
  mkdirSync(join(pkg.folder, "api"), { recursive: true })
  const configs = reported(pkg).map((entry) => configFor(ExtractorConfig, pkg, entry))
  const [first] = configs
  if (first === undefined) return new Map()
  const additionalEntryPoints = configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath)
  const compilerState = CompilerState.create(first, { additionalEntryPoints })
  const reports = configs.map((config) => {
    Extractor.invoke(config, { localBuild: false, compilerState, messageCallback: silence })
    return /** @type {const} */ ([config.reportFilePath, readFileSync(config.reportTempFilePath, "utf8")])
  })
  return new Map(reports.filter(([, report]) => declaration.test(report)))
}

/** @param {typeof import("@microsoft/api-extractor").ExtractorConfig} ExtractorConfig @param {Package} pkg @param {Entry} entry */
function configFor(ExtractorConfig, { folder, short, manifest }, entry) {
  const name = entry.specifier.replace(manifest.name, short).replaceAll("/", ".")
  const none = { default: { logLevel: /** @type {never} */ ("none") } }
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, "package.json"),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: entry.types,
      compiler: { tsconfigFilePath: join(folder, "tsconfig.json") },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: join(folder, "api"),
        reportTempFolder: join(root, "node_modules", ".cache", "api-report"),
        // Types that entries mention without exporting them appear once, in the report of the root entry.
        includeForgottenExports: entry.specifier === manifest.name,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: "lf",
      messages: { compilerMessageReporting: none, extractorMessageReporting: none, tsdocMessageReporting: none },
    },
  })
}

/** The returned list is the message. @param {{ handled: boolean }} message */
function silence(message) {
  message.handled = true
}
