const texts: Readonly<Record<string, string>> = {
  title: "{client}에 로그인",
  asks: "{client}에서 {app} 계정으로 로그인하려고 합니다. 앱에서 이 페이지를 연 경우에만 계속하세요.",
  as: "{user}(으)로 로그인되어 있습니다.",
  continue: "계속",
  cancel: "취소",
  unknown: "이 요청에 응답할 수 없습니다",
  unknownText:
    "이 페이지를 연 앱을 알 수 없거나, 요청이 잘못되었거나 너무 오래되었습니다. 앱으로 돌아가 다시 시도하세요.",
  apps: "앱",
  app: "{client}, {date}부터",
  end: "{client}에서 로그아웃",
}

export default texts
