import { join } from "node:path"
import { defineConfig } from "vitepress"
import { isRepositoryKnown, repositoryUrl } from "../../tools/links.mjs"
import { root } from "../../tools/workspace.mjs"
import { install } from "../build/markdown/install.mjs"
import { links } from "../build/markdown/links.mjs"
import { safe } from "../build/markdown/safe.mjs"
import { anchorOf, linkResolver, summaryOf } from "../build/pages.mjs"
import { isInternal, readSite } from "../build/stage.mjs"

const site = readSite()
const sources = new Map(site.pages.map(({ path, source }) => [path, source]))
const texts = new Map(site.pages.map(({ path, text }) => [path, text]))
const resolve = linkResolver(site.pages)

export default defineConfig({
  lang: "en-US",
  title: "Latchkey",
  description: "Sign-in and sessions for TypeScript web apps",
  srcDir: "temp/pages",
  outDir: join(root, "dist", "site"),
  cacheDir: join(root, "node_modules", ".cache", "site"),
  cleanUrls: true,
  metaChunk: true,
  // Guides link to the app that the reader has started.
  ignoreDeadLinks: "localhostLinks",
  // Every page in the sidebar would load when the first one does.
  router: { prefetchLinks: false },
  head: [
    ["link", { rel: "icon", href: "/logo.svg", type: "image/svg+xml" }],
    ["meta", { name: "theme-color", content: "#0f766e" }],
  ],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    languageAlias: { svg: "xml" },
    anchor: { slugify: anchorOf },
    config(md) {
      md.use(install)
      md.use(links, (path: string) => sources.get(path) ?? "", resolve)
      md.use(safe)
    },
  },
  transformPageData(page) {
    const source = sources.get(page.relativePath) ?? ""
    page.filePath = source
    page.description ||= summaryOf(texts.get(page.relativePath) ?? "").slice(0, 300)
  },
  themeConfig: {
    logo: { src: "/logo.svg", alt: "" },
    nav: [
      { text: "Guides", link: "/docs", activeMatch: "^/(?!api/|providers|errors|$)" },
      { text: "Providers", link: "/providers", activeMatch: "^/providers" },
      { text: "Errors", link: "/errors", activeMatch: "^/errors" },
      { text: "API", link: "/api/core/", activeMatch: "^/api/" },
    ],
    sidebar: { ...site.sidebar },
    outline: [2, 3],
    externalLinkIcon: true,
    search: {
      provider: "local",
      options: {
        // The code of a provider is that of the guides.
        _render: (source, env, md) => {
          const isProvider = env.relativePath.startsWith("providers/")
          const text = isProvider ? source.replace(/^::: code-group$.*?^:::$/ms, "") : source
          return isInternal(env.relativePath) ? "" : md.render(text, env)
        },
      },
    },
    footer: { message: "MIT license. The site loads nothing from other hosts." },
    ...(isRepositoryKnown() && {
      editLink: { pattern: `${repositoryUrl()}/edit/HEAD/:path`, text: "Edit this page" },
      socialLinks: [{ icon: "github" as const, link: repositoryUrl() }],
    }),
  },
})
