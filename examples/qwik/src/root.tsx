import { component$ } from "@builder.io/qwik"
import { QwikCityProvider, RouterOutlet } from "@builder.io/qwik-city"
import "./style.css"

export default component$(() => (
  <QwikCityProvider>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>Harbor</title>
      <link rel="icon" href="/icon.svg" />
    </head>
    <body>
      <RouterOutlet />
    </body>
  </QwikCityProvider>
))
