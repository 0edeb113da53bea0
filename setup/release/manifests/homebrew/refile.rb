cask "refile" do
  arch arm: "arm64", intel: "x64"

  version "<version>"
  sha256 arm:   "<sha256 mac-arm64.dmg>",
         intel: "<sha256 mac-x64.dmg>"

  url "<homepage>/releases/download/v#{version}/Refile-#{version}-mac-#{arch}.dmg"
  name "Refile"
  desc "<description>"
  homepage "<homepage>"

  auto_updates true
  depends_on macos: ">= :ventura"

  app "Refile.app"
  binary "#{appdir}/Refile.app/Contents/Resources/cli/refile"

  zap trash: [
    "~/Library/Application Support/Refile",
    "~/Library/Saved Application State/io.github.refile.savedState",
  ]
end
