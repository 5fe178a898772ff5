const texts: Readonly<Record<string, string>> = {
  title: "{client} में साइन इन करें",
  asks: "{client} आपको {app} के आपके खाते से साइन इन कराना चाहता है। तभी आगे बढ़ें जब आपने यह पेज ऐप से खोला हो।",
  as: "आपने {user} के रूप में साइन इन किया है।",
  continue: "जारी रखें",
  cancel: "रद्द करें",
  unknown: "इस अनुरोध का उत्तर नहीं दिया जा सकता",
  unknownText:
    "जिस ऐप ने यह पेज खोला है वह यहाँ ज्ञात नहीं है, या उसका अनुरोध अमान्य या बहुत पुराना है। ऐप पर वापस जाएँ और फिर से कोशिश करें।",
  apps: "ऐप",
  app: "{client}, {date} से",
  end: "{client} से साइन आउट करें",
}

export default texts
