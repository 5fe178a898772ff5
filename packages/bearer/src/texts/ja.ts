const texts: Readonly<Record<string, string>> = {
  title: "{client} にログイン",
  asks: "{client} が {app} のアカウントでのログインを求めています。このページをアプリから開いた場合にのみ続行してください。",
  as: "{user} としてログインしています。",
  continue: "続行",
  cancel: "キャンセル",
  unknown: "このリクエストには応答できません",
  unknownText:
    "このページを開いたアプリが登録されていないか、リクエストが正しくないか、古すぎます。アプリに戻ってもう一度お試しください。",
  apps: "アプリ",
  app: "{client}（{date} から）",
  end: "{client} からログアウト",
}

export default texts
