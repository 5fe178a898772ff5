export default defineNuxtConfig({
  compatibilityDate: "2026-11-01",
  modules: ["@latchkey/nuxt"],
  css: ["~/assets/style.css"],
  app: {
    head: {
      title: "Harbor",
      htmlAttrs: { lang: "en" },
      link: [{ rel: "icon", href: "/icon.svg" }],
    },
  },
  devtools: { enabled: false },
  telemetry: false,
})
